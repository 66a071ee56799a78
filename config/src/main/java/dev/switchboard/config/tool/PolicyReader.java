package dev.switchboard.config.tool;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.FileTable;
import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolDefaults;
import dev.switchboard.handler.ToolHandler;
import dev.switchboard.tool.BreakerOptions;
import dev.switchboard.tool.Reassurance;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolMode;
import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads the options of a tool that do not define it: mode, time limits, retries, circuit breaker
/// and others.
public final class PolicyReader {
  /// A smaller result limit is too small for a useful result.
  private static final int SMALL_RESULT = 100;

  private static final Set<String> KEYS =
      Set.of(
          "mode",
          "timeout",
          "deadline",
          "retry",
          "breaker",
          "reassurance",
          "result_limit",
          "usage_rule",
          "repeat_limit",
          "operation_key",
          "parallel",
          "on_interrupt",
          "delivery",
          "probe",
          "confirm",
          "repair");

  private final ToolKeys tool;
  private final @Nullable Reassurance reassurance;
  private final ToolDefaults defaults;

  PolicyReader(ToolKeys tool, @Nullable Reassurance reassurance, FileTable.Context file) {
    this.tool = tool;
    this.reassurance = reassurance;
    defaults = requireNonNullElse(file.table(ToolDefaults.class), ToolDefaults.NONE);
  }

  /// The policy of a tool that the file does not define; null if the table has an error.
  public static Tool.@Nullable Policy read(StatedValue table, FileTable.Context file) {
    ToolKeys tool = table.bind(ToolKeys.class);
    if (tool == null) {
      return null;
    }
    for (String key : table.keys(ToolKeys.class)) {
      if (!KEYS.contains(key) && table.has(key)) {
        table.member(key).bad("is for a tool that is defined in [[tools]]");
      }
    }
    warnOfSmallResult(tool);
    DeliveryReader.check(tool);
    return new PolicyReader(tool, reassurance(tool.reassurance()), file)::applied;
  }

  static void warnOfSmallResult(ToolKeys tool) {
    if (tool.resultLimit() != null && tool.resultLimit() < SMALL_RESULT) {
      tool.at()
          .member("result_limit")
          .warning(
              FaultClass.RESULT_LIMIT_SMALL,
              "%s.result_limit is %d characters: the model hardly reads a sentence"
                  .formatted(tool.at().path(), tool.resultLimit()));
    }
  }

  static @Nullable Reassurance reassurance(@Nullable StatedValue value) {
    if (value == null) {
      return null;
    }
    if (value.isString()) {
      String message = value.filledText();
      return message == null ? null : Reassurance.of(message);
    }
    if (!value.isTable("a string or a table")) {
      return null;
    }
    ToolKeys.Reassurance table = value.bind(ToolKeys.Reassurance.class);
    if (table == null || table.message() == null) {
      return null;
    }
    Integer afterMs = table.afterMs();
    Duration after = afterMs == null ? Reassurance.DEFAULT_AFTER : Duration.ofMillis(afterMs);
    return new Reassurance(table.message(), after);
  }

  /// The options of a tool of which the file states none.
  public static Tool.Policy none(FileTable.Context file) {
    ToolKeys none = file.file().member("tools").member("").bind(ToolKeys.class);
    return new PolicyReader(requireNonNull(none), null, file)::applied;
  }

  /// Applies the options and, if they state no mode, the usual one; returns the tool.
  ///
  /// @param handler of the calls
  Tool.DynamicBuilder applied(Tool.DynamicBuilder builder, ToolHandler handler, ToolMode usual) {
    apply(builder, handler, usual);
    given(tool.mode() == null ? usual : null, builder::mode);
    return builder;
  }

  /// Applies the options.
  ///
  /// @param handler of the calls, null for a webhook
  /// @param usual the mode if the table states none
  void apply(Tool.DynamicBuilder builder, @Nullable ToolHandler handler, ToolMode usual) {
    ToolMode mode = requireNonNullElse(tool.mode(), usual);
    boolean repeats = handler == null ? mode.retries() : handler.mayRepeat(mode);
    builder.retry(retry(repeats));
    BreakerOptions breaker = requireNonNullElse(defaults.breaker(), BreakerOptions.DEFAULT);
    builder.breaker(tool.breaker() == null ? breaker : tool.breaker().over(breaker));
    given(tool.mode(), builder::mode);
    given(tool.usageRule(), builder::usageRule);
    given(tool.timeout(), builder::timeout);
    given(tool.deadline(), builder::deadline);
    given(tool.resultLimit(), builder::resultLimit);
    given(tool.repeatLimit(), builder::repeatLimit);
    given(tool.operationKey(), builder::operationKey);
    given(tool.parallel(), builder::parallel);
    given(tool.onInterrupt(), builder::onInterrupt);
    given(tool.confirm(), builder::confirm);
    DeliveryReader.apply(tool, builder);
    given(reassurance, builder::reassurance);
    given(tool.repair() ? tool : null, repaired -> builder.repair());
  }

  /// The retry policy of the tool. A tool with irreversible effects is retried only if it states so
  /// itself.
  ///
  /// @param repeats whether it may be retried by default
  private RetryPolicy retry(boolean repeats) {
    RetryPolicy usual = requireNonNullElse(defaults.retry(), RetryPolicy.DEFAULT);
    RetryPolicy policy = repeats ? usual : usual.withMaxRetries(0);
    return tool.retry() == null ? policy : tool.retry().over(policy);
  }

  private static <T> void given(@Nullable T value, Consumer<T> setter) {
    if (value != null) {
      setter.accept(value);
    }
  }
}
