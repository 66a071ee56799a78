package dev.switchboard.config;

import static java.util.Objects.requireNonNullElse;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolHandler;
import dev.switchboard.tool.Reassurance;
import dev.switchboard.tool.ToolMode;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads the options of a tool that do not define it: mode, time limits, retries, circuit breaker
/// and others.
final class PolicyReader {
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

  private final AgentToml.Tool tool;
  private final @Nullable Reassurance reassurance;
  private final AgentToml.Defaults defaults;

  PolicyReader(
      AgentToml.Tool tool, @Nullable Reassurance reassurance, AgentToml.Defaults defaults) {
    this.tool = tool;
    this.reassurance = reassurance;
    this.defaults = defaults;
  }

  /// The policy of a tool that the file does not define; null if the table has an error.
  static @Nullable PolicyReader read(Value table, AgentToml.Defaults defaults) {
    AgentToml.Tool tool = Binder.bind(table, AgentToml.Tool.class);
    if (tool == null) {
      return null;
    }
    for (String key : Binder.keys(AgentToml.Tool.class)) {
      if (!KEYS.contains(key) && table.has(key)) {
        table.member(key).bad("is for a tool that is defined in [[tools]]");
      }
    }
    warnOfSmallResult(tool);
    DeliveryReader.check(tool);
    return new PolicyReader(tool, reassurance(tool.reassurance()), defaults);
  }

  /// The keys that are allowed for a tool that the file does not define.
  static List<String> keys() {
    return Binder.keys(AgentToml.Tool.class).stream().filter(KEYS::contains).toList();
  }

  static void warnOfSmallResult(AgentToml.Tool tool) {
    if (tool.resultLimit() != null && tool.resultLimit() < SMALL_RESULT) {
      tool.at()
          .member("result_limit")
          .warning(
              FaultClass.RESULT_LIMIT_SMALL,
              "%s.result_limit is %d characters: the model hardly reads a sentence"
                  .formatted(tool.at().path(), tool.resultLimit()));
    }
  }

  static @Nullable Reassurance reassurance(@Nullable Value value) {
    if (value == null) {
      return null;
    }
    if (value.isString()) {
      String message = value.filledText();
      return message == null ? null : Reassurance.of(message);
    }
    if (!value.is(value.node().isObject(), "a string or a table")) {
      return null;
    }
    AgentToml.Reassurance table = Binder.bound(value, AgentToml.Reassurance.class);
    if (table.message() == null) {
      return null;
    }
    Integer afterMs = table.afterMs();
    Duration after = afterMs == null ? Reassurance.DEFAULT_AFTER : Duration.ofMillis(afterMs);
    return new Reassurance(table.message(), after);
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
    builder.retry(defaults.retry(repeats, tool.retry()));
    builder.breaker(defaults.breaker(tool.breaker()));
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

  private static <T> void given(@Nullable T value, Consumer<T> setter) {
    if (value != null) {
      setter.accept(value);
    }
  }
}
