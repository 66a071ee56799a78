package dev.switchboard.phone;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.handler.Tool;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.ToolMode;
import java.util.List;

/// Warns of tools that callers are asked about by the tool's name alone.
///
/// @param phone the table, which states that callers are asked
/// @param rules of the agent
record ConfirmCheck(StatedValue phone, List<ToolRule> rules) {
  void check(List<Tool> tools) {
    for (Tool tool : tools) {
      if (tool.confirm() == null && needsConsent(tool)) {
        phone
            .member("consent")
            .warning(
                FaultClass.NOT_YET,
                "tool '%s' has no 'confirm': callers hear its name in a question without its arguments; a question of its own is clearer, such as confirm = \"Should I cancel order {order_id}?\""
                    .formatted(tool.name()));
      }
    }
  }

  private boolean needsConsent(Tool tool) {
    return tool.definition().mode() == ToolMode.LOCAL
        || rules.stream()
            .anyMatch(rule ->
                rule.type() instanceof RuleType.RequiresConsent
                    && (rule.tool().equals("*") || rule.tool().equals(tool.name())));
  }
}
