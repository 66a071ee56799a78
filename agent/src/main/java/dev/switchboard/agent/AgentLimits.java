package dev.switchboard.agent;

import dev.switchboard.text.Durations;
import java.time.Duration;

/// The limits of an agent's turns.
///
/// @param iterations model requests in a turn, at least 1
/// @param modelTimeout the time of one model request, including retries and pauses
/// @param history earlier messages that the model reads; the running turn is never cut
public record AgentLimits(int iterations, Duration modelTimeout, int history) {
  /// 10 model requests, 30 s each, 200 messages.
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

  /// These limits with that number of model requests.
  public AgentLimits withIterations(int number) {
    return new AgentLimits(number, modelTimeout, history);
  }

  /// These limits with that time of a model request.
  public AgentLimits withModelTimeout(Duration length) {
    return new AgentLimits(iterations, length, history);
  }

  /// These limits with that number of earlier messages.
  public AgentLimits withHistory(int messages) {
    return new AgentLimits(iterations, modelTimeout, messages);
  }
}
