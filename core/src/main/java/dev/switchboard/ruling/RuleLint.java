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

  /// Every fault of these rules, in their order, each once.
  ///
  /// @param tools the agent's tools, null if they are not known here, so that names, operations and
  ///   arguments cannot be judged
  public static List<RuleFault> faults(List<ToolRule> rules, @Nullable List<ToolDefinition> tools) {
    return tools == null ? faultsBeside(rules, List.of()) : faults(rules, tools, true);
  }

  /// Every fault of these rules, where the agent has these tools and others that are not known
  /// here.
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
    new NameLint(rules, tools, all, RuleSet.operationKeys(tools), faults).check();
    new ValueLint(rules, faults).check();
    new PairLint(rules, faults).check();
    new OrderLint(rules, Needs.of(rules, all ? tools : null), faults).check();
    return faults.list();
  }
}
