package dev.switchboard.handler;

import dev.switchboard.text.Durations;
import dev.switchboard.tool.BreakerOptions;
import dev.switchboard.tool.Reassurance;
import dev.switchboard.tool.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The options by which a tool's calls are run.
///
/// @param timeout bounds one attempt
/// @param deadline bounds the whole run: attempts and pauses
/// @param retry which failed attempts are repeated, and when
/// @param breaker when the circuit breaker opens, and for how long
/// @param reassurance what the user is told while the tool is slow, null for nothing
/// @param resultLimit characters of text handed to the model, at least 1
/// @param parallel whether its calls may overlap others of a round
/// @param onInterrupt what happens to a call when its conversation is cancelled
/// @param repair whether unambiguous mistakes in the arguments are repaired
/// @param inline whether the handler runs on the caller's thread, trusted to be quick, without a
///   time limit
/// @param repeatLimit identical successful calls of a turn after which the next is answered with a
///   hint; 0 for no limit
public record ToolOptions(
    Duration timeout,
    Duration deadline,
    RetryPolicy retry,
    BreakerOptions breaker,
    @Nullable Reassurance reassurance,
    int resultLimit,
    boolean parallel,
    InterruptPolicy onInterrupt,
    boolean repair,
    boolean inline,
    int repeatLimit) {
  /// How long one attempt may take by default.
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

  /// How many characters of a result the model gets at most by default.
  public static final int DEFAULT_RESULT_LIMIT = 64_000;

  /// How many identical successful calls of a turn run by default.
  public static final int DEFAULT_REPEAT_LIMIT = 3;

  private static final Duration LEAST_DEADLINE = Duration.ofSeconds(30);

  /// @throws IllegalArgumentException when a time or limit is not positive, or `repeatLimit`
  ///   negative
  public ToolOptions {
    if (!timeout.isPositive() || !deadline.isPositive()) {
      throw new IllegalArgumentException("timeout and deadline must be positive");
    }
    if (resultLimit < 1) {
      throw new IllegalArgumentException("result_limit must be at least 1");
    }
    if (repeatLimit < 0) {
      throw new IllegalArgumentException("repeat_limit must not be negative");
    }
    timeout = Durations.bounded(timeout);
    deadline = Durations.bounded(deadline);
  }

  /// The deadline of a tool that states none: what its attempts and pauses need, and at least 30 s.
  static Duration defaultDeadline(Duration timeout, RetryPolicy retry) {
    Duration attempts = Durations.bounded(timeout).multipliedBy(retry.maxRetries() + 1L);
    Duration needed = attempts.plus(retry.longestPauses());
    return needed.compareTo(LEAST_DEADLINE) > 0 ? needed : LEAST_DEADLINE;
  }

  /// What becomes of a running call when its conversation is cancelled.
  public enum InterruptPolicy {
    /// It runs to its end and is recorded.
    FINISH,
    /// It is stopped, and its result says `cancelled`.
    CANCEL
  }
}
