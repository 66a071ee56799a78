package dev.switchboard.config.tool;

import static dev.switchboard.tool.RetryPolicy.MOST_RETRIES;
import static java.util.Objects.requireNonNullElse;

import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.config.FileTable.TableKey;
import dev.switchboard.handler.ToolDefaults;
import dev.switchboard.handler.ToolOptions;
import dev.switchboard.tool.BreakerOptions;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolMode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The keys of a tool in a file, and of the tables in it: a component is a key.
record ToolKeys(
    StatedValue at,
    @TableKey(mayBeEmpty = true) @Nullable String name,
    @TableKey(mayBeEmpty = true) @Nullable String description,
    @TableKey(mayBeEmpty = true) @Nullable String webhookUrl,
    @Nullable StatedValue handler,
    @Nullable Http http,
    Map<ToolTables.Owned, StatedValue> tables,
    List<StatedValue> command,
    @Nullable Input stdin,
    @Nullable StatedValue cwd,
    @Nullable StatedValue env,
    @Nullable StatedValue parameters,
    @Nullable StatedValue parametersFile,
    boolean imported,
    @Nullable ToolMode mode,
    boolean strict,
    @Nullable Duration timeout,
    @Nullable Duration deadline,
    @Nullable Retry retry,
    @Nullable Breaker breaker,
    @Nullable StatedValue reassurance,
    @TableKey(least = 1) @Nullable Integer responseLimit,
    @TableKey(least = 1) @Nullable Integer resultLimit,
    @Nullable String usageRule,
    @Nullable Integer repeatLimit,
    @Nullable String operationKey,
    List<StatedValue> examples,
    @Nullable Boolean parallel,
    ToolOptions.@Nullable InterruptPolicy onInterrupt,
    @Nullable Delivery delivery,
    @Nullable String probe,
    @Nullable String confirm,
    boolean repair,
    Map<String, StatedValue> headers,
    @Nullable String secretEnv) {

  /// What happens to a call whose process died.
  enum Delivery {
    AT_LEAST_ONCE,
    AT_MOST_ONCE,
    RECONCILE
  }

  record Http(
      StatedValue at,
      @Nullable StatedValue method,
      @TableKey(required = true) @Nullable String url,
      List<StatedValue> query,
      Map<String, StatedValue> headers,
      @Nullable StatedValue body,
      @Nullable StatedValue result,
      @Nullable StatedValue idempotencyHeader) {}

  /// What a program reads from its standard input.
  enum Input {
    JSON
  }

  record Retry(
      @TableKey(most = MOST_RETRIES) @Nullable Integer maxRetries,
      RetryPolicy.@Nullable On on,
      @TableKey(mayBeEmpty = true) @Nullable Duration base,
      @TableKey(mayBeEmpty = true) @Nullable Duration cap) {
    /// That policy, overridden by the keys stated here.
    RetryPolicy over(RetryPolicy policy) {
      return new RetryPolicy(
          requireNonNullElse(maxRetries, policy.maxRetries()),
          requireNonNullElse(base, policy.base()),
          requireNonNullElse(cap, policy.cap()),
          requireNonNullElse(on, policy.on()));
    }
  }

  record Breaker(
      @Nullable Integer failureThreshold,
      @TableKey(mayBeEmpty = true) @Nullable Duration cooldown) {
    /// Those options, overridden by the keys stated here.
    BreakerOptions over(BreakerOptions options) {
      return new BreakerOptions(
          requireNonNullElse(failureThreshold, options.failureThreshold()),
          requireNonNullElse(cooldown, options.cooldown()));
    }
  }

  record Reassurance(
      @TableKey(required = true) @Nullable String message, @Nullable Integer afterMs) {}

  /// The defaults for options that a tool does not state.
  record Defaults(@Nullable Retry retry, @Nullable Breaker breaker) {
    /// The defaults for tools that the file does not define, such as those made in Java.
    ToolDefaults common() {
      ToolDefaults all = ToolDefaults.NONE;
      all = retry == null ? all : all.withRetry(retry.over(RetryPolicy.DEFAULT));
      return breaker == null ? all : all.withBreaker(breaker.over(BreakerOptions.DEFAULT));
    }
  }
}
