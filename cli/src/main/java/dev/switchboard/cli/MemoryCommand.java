package dev.switchboard.cli;

import dev.switchboard.cli.MemoryStepCommand.Step;
import java.nio.file.Path;
import java.util.function.Predicate;
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
  static CommandLine on(Terminal terminal, Path folder, Predicate<String> needed) {
    return new CommandGroup(new MemoryCommand(), needed)
        .add(MemoryListCommand.class, () -> new MemoryListCommand(terminal, folder))
        .add(MemoryShowCommand.class, () -> new MemoryShowCommand(terminal, folder))
        .add(MemoryEditCommand.class, () -> new MemoryEditCommand(terminal, folder, Editor.here()))
        .add(MemorySearchCommand.class, () -> new MemorySearchCommand(terminal, folder))
        .add(MemoryEmbedCommand.class, () -> new MemoryEmbedCommand(terminal, folder))
        .add(MemoryHistoryCommand.class, () -> new MemoryHistoryCommand(terminal, folder))
        .add(MemoryStepCommand.of(Step.UNDO, terminal, folder))
        .add(MemoryStepCommand.of(Step.REDO, terminal, folder))
        .add(MemoryExportCommand.class, () -> new MemoryExportCommand(terminal, folder))
        .add(MemoryImportCommand.class, () -> new MemoryImportCommand(terminal, folder))
        .line();
  }
}
