package dev.switchboard.config;

import dev.switchboard.handler.ToolDefaults;
import dev.switchboard.tool.BreakerOptions;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolMode;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What holds for every tool that does not state it itself.
record Defaults(@Nullable Section retry, @Nullable Section breaker) {
  static final Defaults NONE = new Defaults(null, null);

  private static final List<String> ON = List.of("any", "transient");

  /// Reads them for the sake of their faults.
  void check() {
    changed(RetryPolicy.DEFAULT, retry);
    changed(BreakerOptions.DEFAULT, breaker);
  }

  /// What holds for the tools of others, such as those made in Java.
  ToolDefaults common() {
    ToolDefaults all = ToolDefaults.NONE;
    all = retry == null ? all : all.withRetry(changed(RetryPolicy.DEFAULT, retry));
    return breaker == null ? all : all.withBreaker(changed(BreakerOptions.DEFAULT, breaker));
  }

  /// The policy of a tool of that mode. What cannot be undone is repeated only where the tool
  /// itself says so.
  RetryPolicy retry(ToolMode mode, @Nullable Section own) {
    RetryPolicy common = changed(RetryPolicy.DEFAULT, retry);
    return changed(mode.retries() ? common : common.withMaxRetries(0), own);
  }

  BreakerOptions breaker(@Nullable Section own) {
    return changed(changed(BreakerOptions.DEFAULT, breaker), own);
  }

  private static RetryPolicy changed(RetryPolicy policy, @Nullable Section section) {
    if (section == null) {
      return policy;
    }
    Integer retries = section.whole("max_retries", 0, RetryPolicy.MOST_RETRIES);
    Duration base = section.duration("base");
    Duration cap = section.duration("cap");
    String on = section.word("on", ON);
    return new RetryPolicy(
        retries == null ? policy.maxRetries() : retries,
        base == null ? policy.base() : base,
        cap == null ? policy.cap() : cap,
        on == null ? policy.on() : RetryPolicy.On.valueOf(on.toUpperCase(Locale.ROOT)));
  }

  private static BreakerOptions changed(BreakerOptions options, @Nullable Section section) {
    if (section == null) {
      return options;
    }
    Integer threshold = section.whole("failure_threshold", 0, Integer.MAX_VALUE);
    Duration cooldown = section.duration("cooldown");
    return new BreakerOptions(
        threshold == null ? options.failureThreshold() : threshold,
        cooldown == null ? options.cooldown() : cooldown);
  }
}
