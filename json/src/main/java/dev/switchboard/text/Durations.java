package dev.switchboard.text;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Durations as a file states them: `"500ms"`, `"30s"`, `"5m"`, `"2h"`, `"30d"`, or a number of
/// seconds.
public final class Durations {
  /// The valid forms, as a part of a sentence.
  public static final String FORMS =
      "a duration such as \"500ms\", \"30s\", \"5m\" or a number of seconds";

  /// A century, which fits into nanoseconds; it stands for "forever".
  public static final Duration LONGEST = Duration.ofDays(36_500);

  // Ten years, more than a text reasonably states.
  private static final Duration LONGEST_STATED = Duration.ofDays(3650);

  private static final Pattern TEXT =
      Pattern.compile("([0-9]{1,15}(?:\\.[0-9]{1,9})?) ?(ms|s|m|h|d)");

  private Durations() {}

  /// The duration, at most a century.
  public static Duration bounded(Duration length) {
    return length.compareTo(LONGEST) > 0 ? LONGEST : length;
  }

  /// The duration of a text with a unit, such as `500ms`; null if it is not one.
  public static @Nullable Duration withUnit(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      return null;
    }
    BigDecimal number = new BigDecimal(parts.group(1));
    return switch (parts.group(2)) {
      case "ms" -> seconds(number.movePointLeft(3));
      case "s" -> seconds(number);
      case "m" -> seconds(number.multiply(BigDecimal.valueOf(60)));
      case "h" -> seconds(number.multiply(BigDecimal.valueOf(3600)));
      default -> seconds(number.multiply(BigDecimal.valueOf(86_400)));
    };
  }

  /// The duration of a text such as `500ms` or `30`; null if it is not one.
  public static @Nullable Duration parse(String text) {
    boolean bare = text.matches("[0-9]{1,15}(\\.[0-9]{1,9})?");
    return bare ? seconds(new BigDecimal(text)) : withUnit(text);
  }

  /// The text of a duration, as a file states it.
  public static String text(Duration length) {
    long nanos = length.toNanos();
    if (nanos % 1_000_000_000 == 0) {
      return nanos / 1_000_000_000 + "s";
    }
    return nanos % 1_000_000 == 0
        ? nanos / 1_000_000 + "ms"
        : BigDecimal.valueOf(nanos, 9).toPlainString() + "s";
  }

  /// That many seconds; null if they are not a valid duration.
  public static @Nullable Duration seconds(BigDecimal number) {
    boolean sensible =
        number.signum() >= 0
            && number.compareTo(BigDecimal.valueOf(LONGEST_STATED.toSeconds())) <= 0;
    return sensible
        ? Duration.ofNanos(number.movePointRight(9).setScale(0, RoundingMode.DOWN).longValue())
        : null;
  }

  /// A duration in words: `800 ms`, `1.5 s`, `30 s`.
  public static String words(Duration length) {
    long millis = length.toMillis();
    if (millis < 1000) {
      return millis + " ms";
    }
    return (millis % 1000 == 0 ? String.valueOf(millis / 1000) : String.valueOf(millis / 1000.0))
        + " s";
  }
}
