package dev.switchboard.handler;

import dev.switchboard.tool.BreakerOptions;
import dev.switchboard.tool.Reassurance;
import dev.switchboard.tool.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The defaults for all tools of an agent; a tool's own settings win. Null means the library's
/// default.
///
/// @param timeout limits one attempt
/// @param deadline limits the call
/// @param retry which failed attempts are repeated, except those of destructive and local tools
/// @param breaker when a circuit breaker opens, and for how long
/// @param reassurance what the user sees while a tool is slow
/// @param resultLimit characters of text for the model
/// @param repeatLimit identical successful calls of a turn
public record ToolDefaults(
    @Nullable Duration timeout,
    @Nullable Duration deadline,
    @Nullable RetryPolicy retry,
    @Nullable BreakerOptions breaker,
    @Nullable Reassurance reassurance,
    @Nullable Integer resultLimit,
    @Nullable Integer repeatLimit) {
  /// The defaults of the library.
  public static final ToolDefaults NONE =
      new ToolDefaults(null, null, null, null, null, null, null);

  /// These defaults with that timeout of an attempt.
  public ToolDefaults withTimeout(Duration attempt) {
    return new ToolDefaults(
        attempt, deadline, retry, breaker, reassurance, resultLimit, repeatLimit);
  }

  /// These defaults with that deadline of a call.
  public ToolDefaults withDeadline(Duration call) {
    return new ToolDefaults(timeout, call, retry, breaker, reassurance, resultLimit, repeatLimit);
  }

  /// These defaults with that retry policy.
  public ToolDefaults withRetry(RetryPolicy policy) {
    return new ToolDefaults(
        timeout, deadline, policy, breaker, reassurance, resultLimit, repeatLimit);
  }

  /// These defaults with those options of the circuit breakers.
  public ToolDefaults withBreaker(BreakerOptions options) {
    return new ToolDefaults(
        timeout, deadline, retry, options, reassurance, resultLimit, repeatLimit);
  }

  /// These defaults with that reassurance.
  public ToolDefaults withReassurance(Reassurance sentence) {
    return new ToolDefaults(timeout, deadline, retry, breaker, sentence, resultLimit, repeatLimit);
  }

  /// These defaults with that limit of a result's text.
  public ToolDefaults withResultLimit(int characters) {
    return new ToolDefaults(
        timeout, deadline, retry, breaker, reassurance, characters, repeatLimit);
  }

  /// These defaults with that limit of repeated calls.
  public ToolDefaults withRepeatLimit(int calls) {
    return new ToolDefaults(timeout, deadline, retry, breaker, reassurance, resultLimit, calls);
  }

  /// These defaults, completed by the others.
  ToolDefaults or(ToolDefaults others) {
    return new ToolDefaults(
        timeout == null ? others.timeout : timeout,
        deadline == null ? others.deadline : deadline,
        retry == null ? others.retry : retry,
        breaker == null ? others.breaker : breaker,
        reassurance == null ? others.reassurance : reassurance,
        resultLimit == null ? others.resultLimit : resultLimit,
        repeatLimit == null ? others.repeatLimit : repeatLimit);
  }
}
