package dev.switchboard.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `switchboard tool`: shows, calls, imports and exports tools.
@Command(
    name = "tool",
    description = "Show, call, import and export an agent's tools.",
    footer = {
      "  switchboard tool list agent.toml",
      "  switchboard tool schema agent.toml check_table",
      "  switchboard tool call agent.toml check_table '{\"date\":\"2025-03-15\"}'",
      "  switchboard tool import openapi petstore.yaml -o agent.toml",
      "  switchboard tool export agent.toml --format openai"
    })
final class ToolCommand {
  /// The command and its subcommands.
  static CommandLine on(Terminal terminal) {
    return new CommandLine(new ToolCommand())
        .addSubcommand(new ToolListCommand(terminal))
        .addSubcommand(new ToolSchemaCommand(terminal))
        .addSubcommand(new ToolCallCommand(terminal))
        .addSubcommand(new ToolImportCommand(terminal))
        .addSubcommand(new ToolExportCommand(terminal));
  }
}
