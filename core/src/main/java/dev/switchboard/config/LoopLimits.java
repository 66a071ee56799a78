package dev.switchboard.config;

import java.time.Duration;

/// What bounds an agent's loop.
///
/// @param iterations model round trips of a turn
/// @param modelTimeout bounds one model request
public record LoopLimits(int iterations, Duration modelTimeout) {
  /// 10 round trips, 30 s each (seed 000).
  public static final LoopLimits DEFAULT = new LoopLimits(10, Duration.ofSeconds(30));
}
