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
/// @param delivery what becomes of a call whose process dies in it
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

  /// Whether its calls may be made again though one before may have acted: after an attempt without
  /// an answer, or when the process died.
  public boolean mayActTwice() {
    return delivery instanceof Delivery.AtLeastOnce;
  }

  /// What becomes of a call that has begun, and of whose end nothing is known: its process died, or
  /// an attempt had no answer.
  public sealed interface Delivery {
    /// [AtLeastOnce].
    Delivery AT_LEAST_ONCE = new AtLeastOnce();

    /// [AtMostOnce].
    Delivery AT_MOST_ONCE = new AtMostOnce();

    /// It is made again under the same idempotency key, by which the receiver knows it.
    record AtLeastOnce() implements Delivery {
      @Override
      public String word() {
        return "at_least_once";
      }
    }

    /// It is not made again: the model reads that its outcome is unknown.
    record AtMostOnce() implements Delivery {
      @Override
      public String word() {
        return "at_most_once";
      }
    }

    /// A probe finds out what became of it.
    record Reconcile(Probe probe) implements Delivery {
      @Override
      public String word() {
        return "reconcile";
      }
    }

    /// Finds out what became of a call, by its idempotency key. It changes nothing.
    @FunctionalInterface
    interface Probe {
      /// What became of it. A probe that throws, or takes longer than the tool's timeout, does not
      /// know.
      ///
      /// @param context of that call, with the same idempotency key
      Found find(ToolHandler.Arguments arguments, ToolContext context) throws Exception;
    }

    /// What a probe has found.
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

      /// It was not done, and will not be: it may be made.
      record NotDone() implements Found {}

      /// No one can tell.
      record Unknown() implements Found {}
    }

    /// The word for it, as in a file.
    String word();
  }

  /// What becomes of a running call when its conversation is cancelled.
  public enum InterruptPolicy {
    /// It runs to its end and is recorded.
    FINISH,
    /// It is stopped, and its result says `cancelled`.
    CANCEL
  }
}
