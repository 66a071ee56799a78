package dev.switchboard.config;

import java.time.Duration;

/// What bounds an agent's loop.
///
/// @param iterations model round trips of a turn
/// @param modelTimeout bounds one model request
/// @param consentTimeout how long a person has to answer a request for consent
/// @param history messages that the model reads of what was said before
public record LoopLimits(
    int iterations, Duration modelTimeout, Duration consentTimeout, int history) {
  /// 10 round trips, 30 s each, and 5 minutes for an answer.
  public static final LoopLimits DEFAULT =
      new LoopLimits(10, Duration.ofSeconds(30), Duration.ofMinutes(5), 200);
}
