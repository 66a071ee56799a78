package dev.switchboard.check;

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

/// The Java types that are a JSON string.
enum TextType {
  STRING(String.class, "string"),
  CHARACTERS(char[].class, "string"),
  CHARACTER(Character.class, "a single character"),
  BYTES(byte[].class, "string in base64"),
  LOCAL_DATE(LocalDate.class, "string in format date (2026-03-14)"),
  LOCAL_TIME(LocalTime.class, "local time (19:30)"),
  LOCAL_DATE_TIME(LocalDateTime.class, "local date and time (2026-03-14T19:30)"),
  INSTANT(Instant.class, "string in format date-time (2026-03-14T19:30:00Z)"),
  OFFSET_DATE_TIME(OffsetDateTime.class, "string in format date-time (2026-03-14T19:30:00+01:00)"),
  ZONED_DATE_TIME(ZonedDateTime.class, "string in format date-time (2026-03-14T19:30:00+01:00)"),
  DURATION(Duration.class, "duration (PT1H30M)"),
  PERIOD(Period.class, "duration in days or longer (P1M)"),
  YEAR_MONTH(YearMonth.class, "year and month (2026-03)"),
  URI(java.net.URI.class, "string in format uri"),
  UUID(java.util.UUID.class, "string in format uuid");

  private final Class<?> type;
  private final String label;

  TextType(Class<?> type, String label) {
    this.type = type;
    this.label = label;
  }

  /// The one of that Java type, or null.
  static @Nullable TextType of(Class<?> type) {
    Class<?> boxed = type == char.class ? Character.class : type;
    for (TextType text : values()) {
      if (text.type == boxed) {
        return text;
      }
    }
    return null;
  }

  String label() {
    return label;
  }

  /// The value of the text, or null if it has none.
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
      // Base64 allows unused bits at the end, and Java missing padding; this check allows neither.
      return Base64.getEncoder().encodeToString(bytes).equals(text) ? bytes : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
