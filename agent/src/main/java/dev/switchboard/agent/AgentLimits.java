package dev.switchboard.agent;

import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.text.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The limits of an agent's turns.
///
/// @param iterations model requests in a turn, at least 1
/// @param modelTimeout how long a model request may go without a sign of life, retries and pauses
///   included; null for 30 s, or 2 minutes for a model that thinks before it replies
/// @param history the maximum earlier messages that the model reads: when a turn begins with more,
///   all but the latest half are left out; the running turn is never cut
public record AgentLimits(int iterations, @Nullable Duration modelTimeout, int history) {
  /// 10 model requests, the usual time for each model, 200 messages.
  public static final AgentLimits DEFAULT = new AgentLimits(10, null, 200);

  /// @throws IllegalArgumentException when one is not positive
  public AgentLimits {
    positive("iterations", iterations);
    positive("history", history);
    if (modelTimeout != null && !modelTimeout.isPositive()) {
      throw new IllegalArgumentException("modelTimeout must be positive, not " + modelTimeout);
    }
    modelTimeout = modelTimeout == null ? null : Durations.bounded(modelTimeout);
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

  /// How long a request to that model may go without a sign of life.
  public Duration modelTimeout(ChatModel model) {
    return modelTimeout == null ? ModelOptions.usualSilence(model.reasons()) : modelTimeout;
  }

  /// These limits with that longest silence of a model request.
  public AgentLimits withModelTimeout(Duration length) {
    return new AgentLimits(iterations, length, history);
  }

  /// These limits with that number of earlier messages.
  public AgentLimits withHistory(int messages) {
    return new AgentLimits(iterations, modelTimeout, messages);
  }
}
