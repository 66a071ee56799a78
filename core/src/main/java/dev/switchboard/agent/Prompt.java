package dev.switchboard.agent;

import dev.switchboard.tool.ToolDefinition;
import java.util.List;
import java.util.stream.Collectors;

/// What the model is told to be: the agent's own words with their variables, the rules of use that
/// tools bring along, and the tool rules at the end.
///
/// @param text the agent's own words, empty for none
record Prompt(String text) {
  /// The whole prompt; empty where there is nothing to say.
  String with(Variables variables, List<ToolDefinition> tools, String rules) {
    StringBuilder out = new StringBuilder(variables.fill(text));
    paragraph(out, usage(tools));
    paragraph(out, rules);
    return out.toString();
  }

  private static String usage(List<ToolDefinition> tools) {
    String lines =
        tools.stream()
            .filter(tool -> tool.usageRule() != null && !tool.usageRule().isBlank())
            .map(tool -> "\n- " + tool.name() + ": " + tool.usageRule())
            .collect(Collectors.joining());
    return lines.isEmpty() ? "" : "# Tools" + lines;
  }

  private static void paragraph(StringBuilder out, String text) {
    if (!text.isEmpty()) {
      out.append(out.isEmpty() ? "" : "\n\n").append(text);
    }
  }
}
