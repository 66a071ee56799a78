package dev.switchboard.tool;

import dev.switchboard.text.Durations;
import java.time.Duration;

/// When a tool's circuit breaker opens, and for how long.
///
/// @param failureThreshold failed calls in a row that open it, 0 for no breaker
/// @param cooldown how long it stays open before a probe, at most a hundred years
public record BreakerOptions(int failureThreshold, Duration cooldown) {
  /// Open for 30 s after 5 failed calls in a row.
  public static final BreakerOptions DEFAULT = new BreakerOptions(5, Duration.ofSeconds(30));

  /// No breaker.
  public static final BreakerOptions OFF = new BreakerOptions(0, Duration.ZERO);

  /// @throws IllegalArgumentException when a value is negative
  public BreakerOptions {
    if (failureThreshold < 0 || cooldown.isNegative()) {
      throw new IllegalArgumentException("a breaker's threshold and cooldown must not be negative");
    }
    cooldown = Durations.bounded(cooldown);
  }
}
