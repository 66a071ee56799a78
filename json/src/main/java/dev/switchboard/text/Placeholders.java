package dev.switchboard.text;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Placeholders in a text, such as `{name}`.
public final class Placeholders {
  // Letters of many scripts have marks.
  private static final Pattern NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{M}\\p{N}_.-]{0,63}");
  // Names with a special meaning where texts for placeholders often come from.
  private static final Set<String> RESERVED = Set.of("__proto__", "constructor", "prototype");
  private static final Pattern PLACE = Pattern.compile("\\{(" + NAME.pattern() + ")}");

  private Placeholders() {}

  /// Why a variable cannot have that name, as the rest of a sentence; null if it can.
  public static @Nullable String faultOfName(String name) {
    if (RESERVED.contains(name)) {
      return "has a reserved name";
    }
    return NAME.matcher(name).matches()
        ? null
        : "must have a name of 1 to 64 letters, digits, '_', '.' and '-' that begins with a letter"
            + " or '_'";
  }

  /// The names of a text's placeholders, in order.
  public static Set<String> in(String text) {
    Set<String> names = new LinkedHashSet<>();
    PLACE.matcher(text).results().forEach(place -> names.add(place.group(1)));
    return names;
  }

  /// The text with its placeholders filled, in one pass: placeholders in values are not filled.
  ///
  /// @param values by name; null keeps the placeholder
  public static String fill(String text, Function<String, @Nullable String> values) {
    if (text.indexOf('{') < 0) {
      return text;
    }
    return PLACE
        .matcher(text)
        .replaceAll(place -> {
          String value = values.apply(place.group(1));
          return Matcher.quoteReplacement(value == null ? place.group() : value);
        });
  }
}
