package dev.switchboard.cli;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// Times in the user's time zone.
final class Moments {
  private static final DateTimeFormatter TEXT =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);

  private Moments() {}

  /// The date and the time.
  static String text(Instant moment) {
    return TEXT.format(moment.atZone(ZoneId.systemDefault()));
  }

  /// The time of day.
  static String clock(Instant moment) {
    return CLOCK.format(moment.atZone(ZoneId.systemDefault()));
  }
}
