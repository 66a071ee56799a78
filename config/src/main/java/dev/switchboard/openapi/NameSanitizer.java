package dev.switchboard.openapi;

import dev.switchboard.schema.ToolNames;
import dev.switchboard.text.InvisibleCharacters;
import dev.switchboard.text.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Converts names and descriptions of a document to valid ones for tools and models.
final class NameSanitizer {
  private static final int LONGEST_NAME = 64;
  private static final int LONGEST_DESCRIPTION = 1_000;
  private static final int MOST_NUMBERS = 50;
  private static final int MARK = 7; // an underscore and six digits
  private static final Pattern STRANGE = Pattern.compile("[^A-Za-z0-9_-]+");
  private static final Pattern STRANGE_OF_ARGUMENT = Pattern.compile("[^A-Za-z0-9_.-]+");
  private static final Pattern EDGES = Pattern.compile("^_+|_+$");
  private static final Pattern ARGUMENT = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

  /// A percent sign that encodes nothing.
  private static final Pattern ENCODED = Pattern.compile("%(?![0-9A-Fa-f]{2})");

  private NameSanitizer() {}

  /// A name for the tool of that operation: its id, or else its method and path. It is made unique
  /// among the taken names, and added to them.
  ///
  /// @param prefix of the tool's name, may be empty
  static String toolName(String prefix, OpenApiDocument.Stated operation, Set<String> taken) {
    String stated =
        operation.id().isBlank()
            ? operation.method().toLowerCase(Locale.ROOT) + operation.path()
            : operation.id();
    String name = prefix + EDGES.matcher(STRANGE.matcher(stated).replaceAll("_")).replaceAll("");
    boolean fits =
        name.length() > prefix.length()
            && name.length() <= LONGEST_NAME
            && !ToolNames.isReserved(name);
    if (fits && taken.add(name)) {
      return name;
    }
    String head = name.substring(0, Math.min(name.length(), LONGEST_NAME - MARK)) + "_";
    String unlike = operation.title();
    do {
      unlike = digest(unlike);
    } while (!taken.add(head + unlike));
    return head + unlike;
  }

  /// A digest that identifies the operation, independent of the rest of the document.
  private static String digest(String title) {
    return HexFormat.of().formatHex(Sha256.of(title), 0, 3);
  }

  /// Whether model APIs accept that as the name of an argument.
  static boolean isArgument(String name) {
    return ARGUMENT.matcher(name).matches();
  }

  /// A name for an argument. It is made unique among the taken names, and added to them.
  ///
  /// @param place in the request, such as `query`
  static String argument(String name, String place, Set<String> taken) {
    String clean = cleaned(name.replace("<", "_lt").replace(">", "_gt"));
    String plain = clean.equals("_") ? place : clean;
    if (taken.add(plain)) {
      return plain;
    }
    String placed = plain.substring(0, Math.min(plain.length(), 50)) + "_" + place;
    String unlike = placed;
    for (int i = 2; !taken.add(unlike); i++) {
      // Very many names may become one.
      unlike = placed + "_" + (i < MOST_NUMBERS ? i : digest(name + i));
    }
    return unlike;
  }

  /// The name reduced to letters, digits, dots, underscores and hyphens, with a letter or an
  /// underscore first.
  static String cleaned(String name) {
    String plain = EDGES.matcher(STRANGE_OF_ARGUMENT.matcher(name).replaceAll("_")).replaceAll("");
    String begun = plain.matches("[A-Za-z_].*") ? plain : "_" + plain;
    return begun.substring(0, Math.min(begun.length(), LONGEST_NAME));
  }

  /// The path with what no URL has in it percent-encoded (RFC 3986, 2.1), each placeholder kept.
  static String encoded(String path) {
    StringBuilder out = new StringBuilder(path.length() + 16);
    for (byte one : path.getBytes(StandardCharsets.UTF_8)) {
      if (one > ' ' && one < 0x7f && "\"<>^`|".indexOf(one) < 0) {
        out.append((char) one);
      } else {
        out.append('%').append(HexFormat.of().withUpperCase().toHexDigits(one));
      }
    }
    return ENCODED.matcher(out).replaceAll("%25");
  }

  /// The description of an operation, for the model.
  ///
  /// @param name of its tool; the operation's own is stated if letters of it are lost
  static String description(OpenApiDocument.Stated operation, String name) {
    String known = description(operation);
    String own = operation.name();
    boolean kept =
        operation.id().isBlank() ? own.chars().allMatch(c -> c < 0x80) : name.endsWith(own);
    return kept || known.equals(own) ? known : ToolNames.withOriginalName(known, own, "");
  }

  private static String description(OpenApiDocument.Stated operation) {
    String summary = operation.operation().path("summary").asString("").strip();
    String more = operation.operation().path("description").asString("").strip();
    boolean deprecated = operation.operation().path("deprecated").asBoolean(false);
    String all =
        Stream.of(deprecated ? "Deprecated." : "", more.startsWith(summary) ? "" : summary, more)
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining("\n"));
    return all.isEmpty() ? operation.title() : description(all, LONGEST_DESCRIPTION);
  }

  /// An untrusted text, cut, with invisible characters escaped.
  static String description(String text, int longest) {
    String begin = text.length() > 2 * longest ? text.substring(0, 2 * longest) : text;
    String shown = InvisibleCharacters.shown(begin.replace("\r\n", "\n").strip());
    if (shown.length() <= longest) {
      return shown;
    }
    boolean splits = Character.isHighSurrogate(shown.charAt(longest - 1));
    return shown.substring(0, splits ? longest - 1 : longest) + "...";
  }
}
