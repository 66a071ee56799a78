package dev.switchboard.schema;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.YearMonth;
import java.time.ZonedDateTime;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// The Java types that are written as a JSON string, with the schema that accepts exactly what is
/// bound.
enum TextType {
  STRING(String.class, null, null, "string"),
  CHARACTERS(char[].class, null, null, "string"),
  CHARACTER(Character.class, null, "^[\\u0000-\\uD7FF\\uE000-\\uFFFF]$", "a single character"),
  BYTES(
      byte[].class,
      null,
      "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$",
      "string in base64"),
  LOCAL_DATE(LocalDate.class, "date", null, "string in format date (2026-03-14)"),
  LOCAL_TIME(LocalTime.class, null, "^" + Patterns.TIME + "$", "local time (19:30)"),
  LOCAL_DATE_TIME(
      LocalDateTime.class,
      null,
      "^" + Patterns.DATE + "T" + Patterns.TIME + "$",
      "local date and time (2026-03-14T19:30)"),
  INSTANT(Instant.class, "date-time", null, "string in format date-time (2026-03-14T19:30:00Z)"),
  OFFSET_DATE_TIME(
      OffsetDateTime.class,
      "date-time",
      Patterns.OFFSET,
      "string in format date-time (2026-03-14T19:30:00+01:00)"),
  ZONED_DATE_TIME(
      ZonedDateTime.class,
      "date-time",
      Patterns.OFFSET,
      "string in format date-time (2026-03-14T19:30:00+01:00)"),
  DURATION(
      Duration.class,
      "duration",
      "^P(\\d{1,9}D)?(T(\\d{1,9}H(\\d{1,9}M(\\d{1,9}S)?)?|\\d{1,9}M(\\d{1,9}S)?|\\d{1,9}S))?$",
      "duration (PT1H30M)"),
  PERIOD(
      Period.class,
      "duration",
      "^P(\\d{1,8}Y(\\d{1,8}M(\\d{1,8}D)?)?|\\d{1,8}M(\\d{1,8}D)?|\\d{1,8}[DW])$",
      "duration in days or longer (P1M)"),
  YEAR_MONTH(YearMonth.class, null, "^\\d{4}-(0[1-9]|1[0-2])$", "year and month (2026-03)"),
  URI(java.net.URI.class, "uri", null, "string in format uri"),
  UUID(java.util.UUID.class, "uuid", null, "string in format uuid");

  private final Class<?> type;
  private final @Nullable String format;
  private final @Nullable String pattern;
  private final String label;

  TextType(Class<?> type, @Nullable String format, @Nullable String pattern, String label) {
    this.type = type;
    this.format = format;
    this.pattern = pattern;
    this.label = label;
  }

  /// The one that stands for the Java type, or null.
  static @Nullable TextType of(Class<?> type) {
    Class<?> boxed = type == char.class ? Character.class : type;
    for (TextType text : values()) {
      if (text.type == boxed) {
        return text;
      }
    }
    return null;
  }

  @Nullable String format() {
    return format;
  }

  @Nullable String pattern() {
    return pattern;
  }

  String label() {
    return label;
  }

  /// The value that the text stands for, or null when it stands for none.
  @Nullable Object bind(String text) {
    return switch (this) {
      case STRING -> text;
      case CHARACTERS -> text.toCharArray();
      case CHARACTER -> text.length() == 1 ? text.charAt(0) : null;
      case BYTES -> bytes(text);
      case LOCAL_DATE -> Times.date(text);
      case LOCAL_TIME -> Times.localTime(text);
      case LOCAL_DATE_TIME -> Times.localDateTime(text);
      case INSTANT -> Times.instant(text);
      case OFFSET_DATE_TIME -> Times.offsetDateTime(text);
      case ZONED_DATE_TIME -> {
        OffsetDateTime time = Times.offsetDateTime(text);
        yield time == null ? null : time.toZonedDateTime();
      }
      case DURATION -> Times.duration(text);
      case PERIOD -> Times.period(text);
      case YEAR_MONTH -> Times.yearMonth(text);
      case URI -> TextFormat.uri(text);
      case UUID -> TextFormat.uuid(text);
    };
  }

  private static byte @Nullable [] bytes(String text) {
    try {
      byte[] bytes = Base64.getDecoder().decode(text);
      // Base64 allows loose bits at the end, and Java a missing padding; the pattern does not.
      return Base64.getEncoder().encodeToString(bytes).equals(text) ? bytes : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static final class Patterns {
    static final String TIME = "([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,9})?)?";

    static final String DATE =
        "(\\d{4}-((0[13578]|1[02])-(0[1-9]|[12]\\d|3[01])|(0[469]|11)-(0[1-9]|[12]\\d|30)|02-(0[1-9]|1\\d|2[0-8]))"
            + "|(\\d\\d(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)";

    static final String OFFSET = "([zZ]|[+-]((0\\d|1[0-7]):[0-5]\\d|18:00))$";
  }
}
