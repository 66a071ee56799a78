package dev.switchboard.rule;

import dev.switchboard.tool.ToolDefinition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The check of an agent's rules when the agent is built.
public final class RuleLint {
  private RuleLint() {}

  /// Every fault of these rules, in their order.
  ///
  /// @param tools the agent's tools, null where they are not known here, so that names and
  ///   operations cannot be judged
  public static List<RuleFault> faults(List<ToolRule> rules, @Nullable List<ToolDefinition> tools) {
    return List.of();
  }
}
