package dev.switchboard.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.testing.ManualTime;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RateLimitedLogTest {
  private final ManualTime time = new ManualTime();
  private final RateLimitedLog seldom = new RateLimitedLog(time::nanos);
  private final Lines lines = new Lines();

  /// Keeps what is logged above DEBUG.
  private static final class Lines implements System.Logger {
    private final List<String> all = new ArrayList<>();

    @Override
    public String getName() {
      return "lines";
    }

    @Override
    public boolean isLoggable(Level level) {
      return level.compareTo(Level.DEBUG) > 0;
    }

    @Override
    public void log(
        Level level, @Nullable ResourceBundle bundle, String line, @Nullable Throwable thrown) {
      if (isLoggable(level)) {
        all.add(line);
      }
    }

    @Override
    public void log(Level level, @Nullable ResourceBundle bundle, String format, Object... values) {
      log(level, bundle, format, (Throwable) null);
    }
  }

  @Test
  void oneLineNamesOneOfThePlacesOfAFailure() {
    for (String place : List.of("c1", "c2", "c3")) {
      String named = ExceptionLog.in("Desk", place, "a turn was interrupted");
      seldom.warn(lines, "a turn was interrupted", named, new IllegalStateException("secret"));
    }
    time.advance(Duration.ofMinutes(1));
    String named = ExceptionLog.in("Desk", "c4", "a turn was interrupted");
    seldom.warn(lines, "a turn was interrupted", named, new IllegalStateException("secret"));

    assertThat(lines.all)
        .containsExactly(
            "agent 'Desk', conversation 'c1': a turn was interrupted:"
                + " java.lang.IllegalStateException",
            "agent 'Desk', conversation 'c4': a turn was interrupted:"
                + " java.lang.IllegalStateException (2 more since the last line)");
  }

  @Test
  void logsRepeatedLineOnceAMinuteWithCount() {
    for (int i = 0; i < 5; i++) {
      seldom.warn(lines, "nothing is stored", new IllegalStateException("secret"));
      time.advance(Duration.ofSeconds(15));
    }
    time.advance(Duration.ofMinutes(1));
    seldom.warn(lines, "nothing is stored", new IllegalStateException("secret"));

    assertThat(lines.all)
        .containsExactly(
            "nothing is stored: java.lang.IllegalStateException",
            "nothing is stored: java.lang.IllegalStateException (3 more since the last line)",
            "nothing is stored: java.lang.IllegalStateException");
  }

  @Test
  void anotherCauseIsAnotherLine() {
    seldom.warn(lines, "nothing is stored", new IllegalStateException());
    seldom.warn(lines, "nothing is stored", new IllegalArgumentException());
    seldom.log(lines, Level.INFO, "late");

    assertThat(lines.all).hasSize(3);
  }
}
