package dev.switchboard.agent;

import dev.switchboard.text.Durations;
import java.time.Duration;

/// What bounds the turns of an agent.
///
/// @param iterations model round trips of a turn, at least 1
/// @param modelTimeout bounds one round trip, further attempts and their pauses included
/// @param history messages that the model reads of what was said before; the turn itself is never
///   cut
public record AgentLimits(int iterations, Duration modelTimeout, int history) {
  /// 10 round trips, 30 s each, 200 messages.
  public static final AgentLimits DEFAULT = new AgentLimits(10, Duration.ofSeconds(30), 200);

  /// @throws IllegalArgumentException when one is not positive
  public AgentLimits {
    positive("iterations", iterations);
    positive("history", history);
    if (!modelTimeout.isPositive()) {
      throw new IllegalArgumentException("modelTimeout must be positive, not " + modelTimeout);
    }
    modelTimeout = Durations.bounded(modelTimeout);
  }

  private static void positive(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1, not " + value);
    }
  }

  /// The same with so many round trips.
  public AgentLimits withIterations(int number) {
    return new AgentLimits(number, modelTimeout, history);
  }

  /// The same with that bound of a round trip.
  public AgentLimits withModelTimeout(Duration length) {
    return new AgentLimits(iterations, length, history);
  }

  /// The same with so many messages of history.
  public AgentLimits withHistory(int messages) {
    return new AgentLimits(iterations, modelTimeout, messages);
  }
}
