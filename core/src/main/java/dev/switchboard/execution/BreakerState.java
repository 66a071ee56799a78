package dev.switchboard.execution;

import java.time.Duration;

/// A circuit breaker at one moment.
///
/// @param position closed, open or half-open
/// @param consecutiveFailures calls that failed in a row
/// @param retryAfter until a call may probe, zero unless open
public record BreakerState(Position position, int consecutiveFailures, Duration retryAfter) {
  /// What a circuit breaker does with calls.
  public enum Position {
    /// Lets them through.
    CLOSED,
    /// Answers them itself.
    OPEN,
    /// Lets one through as a probe.
    HALF_OPEN
  }

  static final BreakerState NEW = new BreakerState(Position.CLOSED, 0, Duration.ZERO);
}
