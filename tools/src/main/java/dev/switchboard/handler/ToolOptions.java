package dev.switchboard.handler;

import dev.switchboard.text.Durations;
import dev.switchboard.tool.BreakerOptions;
import dev.switchboard.tool.Reassurance;
import dev.switchboard.tool.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The options of a tool's calls.
///
/// @param timeout limits one attempt
/// @param deadline limits the call: attempts and pauses
/// @param retry which failed attempts are repeated, and when
/// @param breaker when the circuit breaker opens, and for how long
/// @param reassurance what the user sees while the tool is slow, null for nothing
/// @param resultLimit characters of text for the model, at least 1
/// @param parallel whether its calls may overlap others of a round
/// @param onInterrupt what happens to a call when its conversation is cancelled
/// @param repair whether unambiguous mistakes in the arguments are repaired
/// @param inline whether the handler runs on the caller's thread, without a time limit
/// @param repeatLimit identical successful calls of a turn; 0 for no limit
/// @param delivery whether a call is repeated after its process died
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
    int repeatLimit,
    Delivery delivery) {
  /// The default time limit of an attempt.
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

  /// The default limit of a result's characters.
  public static final int DEFAULT_RESULT_LIMIT = 64_000;

  /// The default number of identical successful calls of a turn.
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

  /// The default deadline: what the attempts and pauses need, at least 30 s.
  static Duration defaultDeadline(Duration timeout, RetryPolicy retry) {
    Duration attempts = Durations.bounded(timeout).multipliedBy(retry.maxRetries() + 1L);
    Duration needed = attempts.plus(retry.longestPauses());
    return needed.compareTo(LEAST_DEADLINE) > 0 ? needed : LEAST_DEADLINE;
  }

  /// Whether a call may be repeated although an earlier one may have acted.
  public boolean mayActTwice() {
    return delivery instanceof Delivery.AtLeastOnce;
  }

  /// What happens to a call that has begun and whose end is unknown: its process died, or an
  /// attempt had no answer.
  public sealed interface Delivery {
    /// [AtLeastOnce].
    Delivery AT_LEAST_ONCE = new AtLeastOnce();

    /// [AtMostOnce].
    Delivery AT_MOST_ONCE = new AtMostOnce();

    /// It is repeated under the same idempotency key.
    record AtLeastOnce() implements Delivery {
      @Override
      public String word() {
        return "at_least_once";
      }
    }

    /// It is not repeated: the model reads that its outcome is unknown.
    record AtMostOnce() implements Delivery {
      @Override
      public String word() {
        return "at_most_once";
      }
    }

    /// A probe looks up its outcome.
    record Reconcile(Probe probe) implements Delivery {
      @Override
      public String word() {
        return "reconcile";
      }
    }

    /// Looks up the outcome of a call by its idempotency key, without changing anything.
    @FunctionalInterface
    interface Probe {
      /// The outcome. A probe that throws or exceeds the tool's timeout counts as unknown.
      ///
      /// @param context of that call, with the same idempotency key
      Found find(ToolHandler.Arguments arguments, ToolContext context) throws Exception;
    }

    /// The outcome that a probe has found.
    sealed interface Found {
      /// [NotDone].
      Found NOT_DONE = new NotDone();

      /// [Unknown].
      Found UNKNOWN = new Unknown();

      /// It was done, with that answer.
      static Found done(@Nullable Object answer) {
        return new Done(answer);
      }

      /// It was done.
      ///
      /// @param answer as [ToolHandler#handle] describes it
      record Done(@Nullable Object answer) implements Found {}

      /// It was not done and will not be: it may be made.
      record NotDone() implements Found {}

      /// It is unknown.
      record Unknown() implements Found {}
    }

    /// The word in a file.
    String word();
  }

  /// What happens to a running call when its conversation is cancelled.
  public enum InterruptPolicy {
    /// It runs to its end and is recorded.
    FINISH,
    /// It is stopped, with the result `cancelled`.
    CANCEL
  }
}
