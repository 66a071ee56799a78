package dev.switchboard.ruling;

import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.ToolDefinition;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The check of an agent's rules when the agent is built.
public final class RuleLint {
  private RuleLint() {}

  /// Every fault of these rules, in their order.
  ///
  /// @param tools the agent's tools, null if unknown, so that names, operations and arguments are
  ///   not checked
  public static List<RuleFault> faults(List<ToolRule> rules, @Nullable List<ToolDefinition> tools) {
    return tools == null ? faultsBeside(rules, List.of()) : faults(rules, tools, true);
  }

  /// Every fault of these rules of an agent with these and further, unknown tools.
  public static List<RuleFault> faultsBeside(List<ToolRule> rules, List<ToolDefinition> tools) {
    return faults(rules, tools, false);
  }

  /// The tools that these rules name.
  public static Set<String> names(List<ToolRule> rules) {
    return new RuleCompiler(rules, Map.of()).names();
  }

  private static List<RuleFault> faults(
      List<ToolRule> rules, List<ToolDefinition> tools, boolean all) {
    RuleFaults faults = new RuleFaults();
    new NameLint(rules, tools, all, OperationArgument.of(tools), faults).check();
    new ValueLint(rules, faults).check();
    new PairLint(rules, faults).check();
    new OrderLint(rules, Prerequisites.of(rules, all ? tools : null), faults).check();
    return faults.list();
  }
}
