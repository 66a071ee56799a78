package dev.switchboard.handler;

import dev.switchboard.tool.BreakerOptions;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolMode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The options that a tool itself states.
///
/// @param own the options that the agent's defaults may state too
/// @param repeats whether failed calls are retried by default
/// @param delivery whether a call is repeated after its process died
/// @param confirm the question for a caller's consent, null for a general one
record Running(
    ToolDefaults own,
    ToolMode mode,
    boolean repeats,
    @Nullable Boolean parallel,
    ToolOptions.@Nullable InterruptPolicy onInterrupt,
    @Nullable String confirm,
    boolean repair,
    boolean inline,
    ToolOptions.Delivery delivery) {
  /// The options of its calls, completed by these defaults.
  ToolOptions options(ToolDefaults defaults) {
    // An inline handler needs no time.
    ToolDefaults fitting =
        inline
            ? new ToolDefaults(
                defaults.timeout(),
                defaults.deadline(),
                defaults.retry(),
                defaults.breaker(),
                null,
                defaults.resultLimit(),
                defaults.repeatLimit())
            : defaults;
    ToolDefaults all = own.or(fitting);
    Duration timeout = all.timeout() == null ? ToolOptions.DEFAULT_TIMEOUT : all.timeout();
    RetryPolicy retries = retries(defaults);
    ToolOptions.InterruptPolicy interrupt =
        mode == ToolMode.READ
            ? ToolOptions.InterruptPolicy.CANCEL
            : ToolOptions.InterruptPolicy.FINISH;
    return new ToolOptions(
        timeout,
        all.deadline() == null ? ToolOptions.defaultDeadline(timeout, retries) : all.deadline(),
        retries,
        all.breaker() == null ? BreakerOptions.DEFAULT : all.breaker(),
        all.reassurance(),
        all.resultLimit() == null ? ToolOptions.DEFAULT_RESULT_LIMIT : all.resultLimit(),
        parallel == null ? mode.overlaps() : parallel,
        onInterrupt == null ? interrupt : onInterrupt,
        repair,
        inline,
        all.repeatLimit() == null ? ToolOptions.DEFAULT_REPEAT_LIMIT : all.repeatLimit(),
        delivery);
  }

  private RetryPolicy retries(ToolDefaults defaults) {
    RetryPolicy stated = own.retry();
    if (stated != null) {
      return stated;
    }
    RetryPolicy common = defaults.retry() == null ? RetryPolicy.DEFAULT : defaults.retry();
    return repeats ? common : common.withMaxRetries(0);
  }
}
