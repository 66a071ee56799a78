package dev.switchboard.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `switchboard tool`: what the model sees, and one call by hand.
@Command(
    name = "tool",
    description = "Show an agent's tools as its model sees them, or call one by hand.",
    footer = {
      "  switchboard tool list agent.toml",
      "  switchboard tool schema agent.toml check_table",
      "  switchboard tool call agent.toml check_table '{\"date\":\"2025-03-15\"}'"
    })
final class ToolCommand {
  /// The command and those below it.
  static CommandLine on(Terminal terminal) {
    return new CommandLine(new ToolCommand())
        .addSubcommand(new ToolListCommand(terminal))
        .addSubcommand(new ToolSchemaCommand(terminal))
        .addSubcommand(new ToolCallCommand(terminal));
  }
}
