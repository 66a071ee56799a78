package dev.switchboard.config;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.handler.Tool;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.ToolMode;
import java.util.List;

/// Warns of tools that callers are asked about by the tool's name alone.
///
/// @param rules of the agent
record ConfirmCheck(PhoneKeys phone, List<ToolRule> rules) {
  void check(List<Tool> tools) {
    if (phone.consent() != PhoneSettings.ConsentMode.CALLER) {
      return;
    }
    for (Tool tool : tools) {
      if (tool.confirm() == null && needsConsent(tool)) {
        phone
            .at()
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
