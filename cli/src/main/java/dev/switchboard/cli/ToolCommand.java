package dev.switchboard.cli;

import java.util.function.Predicate;
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
  static CommandLine on(Terminal terminal, Predicate<String> needed) {
    return new CommandGroup(new ToolCommand(), needed)
        .add(ToolListCommand.class, () -> new ToolListCommand(terminal))
        .add(ToolSchemaCommand.class, () -> new ToolSchemaCommand(terminal))
        .add(ToolCallCommand.class, () -> new ToolCallCommand(terminal))
        .add(ToolImportCommand.class, () -> new ToolImportCommand(terminal))
        .add(ToolExportCommand.class, () -> new ToolExportCommand(terminal))
        .line();
  }
}
