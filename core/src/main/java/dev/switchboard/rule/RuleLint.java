package dev.switchboard.rule;

import dev.switchboard.tool.ToolDefinition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The check of an agent's rules when the agent is built.
public final class RuleLint {
  private RuleLint() {}

  /// Every fault of these rules, in their order, each once.
  ///
  /// @param tools the agent's tools, null where they are not known here, so that names, operations
  ///   and arguments cannot be judged
  public static List<RuleFault> faults(List<ToolRule> rules, @Nullable List<ToolDefinition> tools) {
    RuleFaults faults = new RuleFaults();
    if (tools != null) {
      new NameLint(rules, tools, RuleSet.operationKeys(tools), faults).check();
    }
    new ValueLint(rules, faults).check();
    new PairLint(rules, faults).check();
    new OrderLint(rules, Needs.of(rules, tools), faults).check();
    return faults.list();
  }
}
