package dev.switchboard.cli;

import dev.switchboard.memory.Block;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `switchboard memory undo`: the latest edit of a block is taken back.
@Command(
    name = "undo",
    description = {"Take the latest edit of a block back.", "", "Exits with 1 if there is none."},
    footer = "  switchboard memory undo guest agent.toml")
final class MemoryUndoCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final Path folder;

  @Mixin private LabelArguments block;

  @Option(names = "--json", description = "Print {label, version, length, limit}.")
  private boolean json;

  MemoryUndoCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    this.folder = folder;
  }

  @Override
  public Integer call() {
    try (OpenMemory memory = OpenMemory.begun(block.file(), folder, terminal)) {
      Block changed = memory.inHands().undo(block.label());
      if (changed == null) {
        throw Failure.work("In block '" + block.label() + "' is nothing to undo.", null);
      }
      BlockFacts.changed(changed, json, terminal.out());
      return 0;
    }
  }
}
