package dev.switchboard.agent;

import dev.switchboard.tool.ToolDefinition;
import java.util.List;

/// What the model is told to be: the agent's own words with their variables, the rules of use that
/// tools bring along, and the tool rules at the end.
///
/// @param text the agent's own words, empty for none
record Prompt(String text) {
  /// The whole prompt; empty where there is nothing to say.
  String with(Variables variables, String memory, List<ToolDefinition> tools, String rules) {
    String told = paragraphs(variables.fill(text), memory);
    return paragraphs(paragraphs(told, usage(tools)), rules);
  }

  private static String usage(List<ToolDefinition> tools) {
    StringBuilder lines = new StringBuilder();
    for (ToolDefinition tool : tools) {
      String rule = tool.usageRule();
      if (rule != null && !rule.isBlank()) {
        lines.append("\n- ").append(tool.name()).append(": ").append(rule);
      }
    }
    return lines.isEmpty() ? "" : "# Tools" + lines;
  }

  private static String paragraphs(String first, String next) {
    if (first.isEmpty() || next.isEmpty()) {
      return first + next;
    }
    return first + "\n\n" + next;
  }
}
