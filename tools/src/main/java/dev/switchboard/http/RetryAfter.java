package dev.switchboard.http;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/// The `Retry-After` header (RFC 9110, section 10.2.3): seconds or a date.
public final class RetryAfter {
  private static final int LONGEST = 9; // digits

  private RetryAfter() {}

  /// How long to wait from now, never negative; null if the header is missing or invalid.
  public static @Nullable Duration parse(@Nullable String header, Instant now) {
    if (header == null) {
      return null;
    }
    String text = header.strip();
    try {
      Duration wait =
          text.matches("[0-9]+")
              ? Duration.ofSeconds(seconds(text))
              : Duration.between(
                  now, ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
      return wait.isNegative() ? Duration.ZERO : wait;
    } catch (DateTimeException e) {
      return null;
    }
  }

  /// The number; a longer one becomes more than any call waits.
  private static long seconds(String digits) {
    String number = digits.replaceFirst("^0+(?=.)", "");
    return number.length() > LONGEST ? 1_000_000_000 : Long.parseLong(number);
  }
}
