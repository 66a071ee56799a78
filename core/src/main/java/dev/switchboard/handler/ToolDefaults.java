package dev.switchboard.handler;

import dev.switchboard.tool.BreakerOptions;
import dev.switchboard.tool.Reassurance;
import dev.switchboard.tool.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How the calls of all tools of an agent are run; what a tool states itself wins. Null leaves it
/// to the defaults of the library.
///
/// @param timeout bounds one attempt
/// @param deadline bounds the whole run
/// @param retry which failed attempts are made again, and when; of destructive and local tools none
///   are, unless the tool itself says so
/// @param breaker when a tool is left alone for a while
/// @param reassurance what is said while a tool is slow
/// @param resultLimit characters of text handed to the model
/// @param repeatLimit identical successful calls of a turn after which the next is answered with a
///   hint
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

  /// The same with that timeout of an attempt.
  public ToolDefaults withTimeout(Duration attempt) {
    return new ToolDefaults(
        attempt, deadline, retry, breaker, reassurance, resultLimit, repeatLimit);
  }

  /// The same with that deadline of a call.
  public ToolDefaults withDeadline(Duration call) {
    return new ToolDefaults(timeout, call, retry, breaker, reassurance, resultLimit, repeatLimit);
  }

  /// The same with that retry policy.
  public ToolDefaults withRetry(RetryPolicy policy) {
    return new ToolDefaults(
        timeout, deadline, policy, breaker, reassurance, resultLimit, repeatLimit);
  }

  /// The same with those options of the circuit breakers.
  public ToolDefaults withBreaker(BreakerOptions options) {
    return new ToolDefaults(
        timeout, deadline, retry, options, reassurance, resultLimit, repeatLimit);
  }

  /// The same with that reassurance.
  public ToolDefaults withReassurance(Reassurance sentence) {
    return new ToolDefaults(timeout, deadline, retry, breaker, sentence, resultLimit, repeatLimit);
  }

  /// The same with that limit of a result's text.
  public ToolDefaults withResultLimit(int characters) {
    return new ToolDefaults(
        timeout, deadline, retry, breaker, reassurance, characters, repeatLimit);
  }

  /// The same with that limit of repeated calls.
  public ToolDefaults withRepeatLimit(int calls) {
    return new ToolDefaults(timeout, deadline, retry, breaker, reassurance, resultLimit, calls);
  }

  /// What is said here, and of the rest what the others say.
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
