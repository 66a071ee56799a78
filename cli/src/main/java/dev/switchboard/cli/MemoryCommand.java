package dev.switchboard.cli;

import dev.switchboard.cli.MemoryStepCommand.Step;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `switchboard memory`: an agent's memory.
@Command(
    name = "memory",
    description = "Show, edit and move an agent's memory.",
    footer = {
      "  switchboard memory list agent.toml",
      "  switchboard memory edit guest --append 'Eats no meat' agent.toml",
      "  switchboard memory search 'no meat' agent.toml",
      "  switchboard memory export agent.toml | switchboard memory import - other.toml"
    })
final class MemoryCommand {
  /// The command and its subcommands, which look for an agent's file in that folder if none is
  /// named.
  static CommandLine on(Terminal terminal, Path folder) {
    return new CommandLine(new MemoryCommand())
        .addSubcommand(new MemoryListCommand(terminal, folder))
        .addSubcommand(new MemoryShowCommand(terminal, folder))
        .addSubcommand(new MemoryEditCommand(terminal, folder, Editor.here()))
        .addSubcommand(new MemorySearchCommand(terminal, folder))
        .addSubcommand(new MemoryEmbedCommand(terminal, folder))
        .addSubcommand(new MemoryHistoryCommand(terminal, folder))
        .addSubcommand(MemoryStepCommand.of(Step.UNDO, terminal, folder))
        .addSubcommand(MemoryStepCommand.of(Step.REDO, terminal, folder))
        .addSubcommand(new MemoryExportCommand(terminal, folder))
        .addSubcommand(new MemoryImportCommand(terminal, folder));
  }
}
