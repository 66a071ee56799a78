package dev.switchboard.check;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The dates, times and durations of RFC 3339, parsed by hand, since java.time's formatter takes
/// longer than the rest of a check. Each method returns null, or false, for another text.
final class Times {
  private static final int SECONDS_PER_DAY = 86_400;

  /// Parts of durations; `#` is a number.
  private static final String DAYS = "(?:#Y(?:#M(?:#D)?)?|#M(?:#D)?|#D)";

  private static final String HOURS = "T(?:#H(?:#M(?:#S)?)?|#M(?:#S)?|#S)";

  private static final Pattern ANY_DURATION =
      pattern("P(?:" + DAYS + "(?:" + HOURS + ")?|" + HOURS + "|#W)", "\\d++");
  private static final Pattern DURATION =
      pattern("P(?:#D(?:" + HOURS + ")?|" + HOURS + ")", "\\d{1,9}+");
  private static final Pattern PERIOD = pattern("P(?:" + DAYS + "|#W)", "\\d{1,8}+");

  private Times() {}

  private static Pattern pattern(String form, String number) {
    return Pattern.compile(form.replace("#", number));
  }

  static @Nullable LocalDate date(String text) {
    return text.length() == 10 ? date(text, 0) : null;
  }

  private static @Nullable LocalDate date(String text, int from) {
    int year = digits(text, from, 4);
    int month = digits(text, from + 5, 2);
    int day = digits(text, from + 8, 2);
    boolean dashes = text.charAt(from + 4) == '-' && text.charAt(from + 7) == '-';
    if (!dashes || year < 0 || month < 1 || month > 12 || day < 1 || day > 31) {
      return null;
    }
    return day <= 28 || day <= YearMonth.of(year, month).lengthOfMonth()
        ? LocalDate.of(year, month, day)
        : null;
  }

  static @Nullable YearMonth yearMonth(String text) {
    LocalDate first = text.length() == 7 ? date(text + "-01") : null;
    return first == null ? null : YearMonth.from(first);
  }

  /// `HH:MM`, `HH:MM:SS`, or with up to nine digits of a fraction.
  static @Nullable LocalTime localTime(String text) {
    int length = text.length();
    if (length < 5 || length > 18 || text.charAt(2) != ':') {
      return null;
    }
    int hour = digits(text, 0, 2);
    int minute = digits(text, 3, 2);
    int second = length == 5 ? 0 : length < 8 || text.charAt(5) != ':' ? -1 : digits(text, 6, 2);
    int nano =
        length <= 8 ? 0 : length == 9 || text.charAt(8) != '.' ? -1 : fraction(text, 9, length);
    if (outside(hour, 23) || outside(minute, 59) || outside(second, 59) || nano < 0) {
      return null;
    }
    return LocalTime.of(hour, minute, second, nano);
  }

  /// A date and a [#localTime(String)] separated by `T`.
  static @Nullable LocalDateTime localDateTime(String text) {
    LocalDate date = text.length() > 15 && text.charAt(10) == 'T' ? date(text, 0) : null;
    LocalTime time = date == null ? null : localTime(text.substring(11));
    return date == null || time == null ? null : date.atTime(time);
  }

  /// A `date-time`; a leap second counts as the second before it, as in [Instant#parse].
  static @Nullable Instant instant(String text) {
    int end =
        date(text.length() < 20 ? "" : text.substring(0, 10)) == null ? -1 : timeEnd(text, 11);
    char separator = end < 0 ? ' ' : text.charAt(10);
    if (separator != 'T' && separator != 't') {
      return null;
    }
    int offset = offset(text, end);
    LocalDate date = date(text, 0);
    if (offset == Integer.MIN_VALUE || date == null || !leapSecondFits(text, 11, offset)) {
      return null;
    }
    long seconds = date.toEpochDay() * SECONDS_PER_DAY + secondOfDay(text, 11) - offset;
    return Instant.ofEpochSecond(seconds, nanos(text, 19, end));
  }

  /// A `date-time` with an offset of at most 18 hours.
  static @Nullable OffsetDateTime offsetDateTime(String text) {
    Instant instant = instant(text);
    if (instant == null) {
      return null;
    }
    int offset = offset(text, timeEnd(text, 11));
    return Math.abs(offset) > 18 * 3600
        ? null
        : instant.atOffset(ZoneOffset.ofTotalSeconds(offset));
  }

  /// A `time`, which has an offset.
  static boolean isOffsetTime(String text) {
    int end = text.length() < 9 ? -1 : timeEnd(text, 0);
    int offset = end < 0 ? Integer.MIN_VALUE : offset(text, end);
    return offset != Integer.MIN_VALUE && leapSecondFits(text, 0, offset);
  }

  /// The index where the time ends and its offset begins, or -1.
  private static int timeEnd(String text, int from) {
    boolean colons = text.charAt(from + 2) == ':' && text.charAt(from + 5) == ':';
    if (!colons
        || outside(digits(text, from, 2), 23)
        || outside(digits(text, from + 3, 2), 59)
        || outside(digits(text, from + 6, 2), 60)) {
      return -1;
    }
    int end = from + 8;
    if (end < text.length() && text.charAt(end) == '.') {
      int start = ++end;
      while (end < text.length() && digit(text.charAt(end))) {
        end++;
      }
      return end == start ? -1 : end;
    }
    return end;
  }

  /// The seconds of the offset, or the least integer.
  private static int offset(String text, int from) {
    int length = text.length() - from;
    char sign = length > 0 ? text.charAt(from) : ' ';
    if (length == 1 && (sign == 'Z' || sign == 'z')) {
      return 0;
    }
    if (length != 6 || (sign != '+' && sign != '-') || text.charAt(from + 3) != ':') {
      return Integer.MIN_VALUE;
    }
    int hours = digits(text, from + 1, 2);
    int minutes = digits(text, from + 4, 2);
    if (outside(hours, 23) || outside(minutes, 59)) {
      return Integer.MIN_VALUE;
    }
    return (sign == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
  }

  private static boolean leapSecondFits(String text, int from, int offset) {
    if (digits(text, from + 6, 2) < 60) {
      return true;
    }
    int minuteOfDay = digits(text, from, 2) * 60 + digits(text, from + 3, 2) - offset / 60;
    return Math.floorMod(minuteOfDay, 1440) == 1439;
  }

  private static int secondOfDay(String text, int from) {
    int second = Math.min(59, digits(text, from + 6, 2));
    return digits(text, from, 2) * 3600 + digits(text, from + 3, 2) * 60 + second;
  }

  private static int nanos(String text, int from, int end) {
    return from == end ? 0 : fraction(text, from + 1, Math.min(end, from + 10));
  }

  /// RFC 3339's durations: `P1W`, `P1Y2M3D`, `PT1H30M`, without gaps between the units.
  static boolean isDuration(String text) {
    return ANY_DURATION.matcher(text).matches();
  }

  /// A duration of days and smaller units, at most nine digits each.
  static @Nullable Duration duration(String text) {
    return DURATION.matcher(text).matches() ? Duration.parse(text) : null;
  }

  /// A duration of days and greater units, at most eight digits each.
  static @Nullable Period period(String text) {
    return PERIOD.matcher(text).matches() ? Period.parse(text) : null;
  }

  private static boolean outside(int value, int greatest) {
    return value < 0 || value > greatest;
  }

  private static boolean digit(char c) {
    return c >= '0' && c <= '9';
  }

  /// The number of `count` digits, or -1.
  private static int digits(String text, int from, int count) {
    int value = 0;
    for (int i = from; i < from + count; i++) {
      char c = text.charAt(i);
      if (!digit(c)) {
        return -1;
      }
      value = value * 10 + c - '0';
    }
    return value;
  }

  /// The nanoseconds of the fraction, or -1.
  private static int fraction(String text, int from, int end) {
    int value = digits(text, from, end - from);
    for (int i = end - from; i < 9 && value >= 0; i++) {
      value *= 10;
    }
    return value;
  }
}
