package dev.switchboard.cli;

import dev.switchboard.memory.Block;
import dev.switchboard.memory.Memory;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `switchboard memory undo` and `memory redo`: one step in the edits of a block.
@Command
final class MemoryStepCommand implements Callable<Integer> {
  private final Step step;
  private final Terminal terminal;
  private final Path folder;

  @Mixin private LabelArguments block;

  @Mixin private PrincipalOption whose;

  @Option(names = "--json", description = "Print {label, version, length, limit}.")
  private boolean json;

  /// The direction.
  enum Step {
    UNDO("Undo the latest edit of a block.", "nothing to undo") {
      @Override
      @Nullable Block make(Memory memory, String label) {
        return memory.undo(label);
      }
    },
    REDO("Redo an edit that was undone.", "nothing to make again") {
      @Override
      @Nullable Block make(Memory memory, String label) {
        return memory.redo(label);
      }
    };

    private final String description;
    private final String nothing;

    Step(String description, String nothing) {
      this.description = description;
      this.nothing = nothing;
    }

    /// Makes the step and returns the block; null if there is no such step.
    abstract @Nullable Block make(Memory memory, String label);
  }

  private MemoryStepCommand(Step step, Terminal terminal, Path folder) {
    this.step = step;
    this.terminal = terminal;
    this.folder = folder;
  }

  /// The command of that step.
  static CommandLine of(Step step, Terminal terminal, Path folder) {
    CommandLine command = new CommandLine(new MemoryStepCommand(step, terminal, folder));
    String name = step.name().toLowerCase(Locale.ROOT);
    command
        .getCommandSpec()
        .name(name)
        .usageMessage()
        .description(step.description, "", "Exits with 1 if there is none.")
        .footer("  switchboard memory " + name + " guest agent.toml");
    return command;
  }

  @Override
  public Integer call() {
    try (OpenMemory memory = OpenMemory.begun(block.file(), folder, terminal, whose.name())) {
      Block changed = step.make(memory.inHands(), block.label());
      if (changed == null) {
        throw Failure.work("In block '" + block.label() + "' is " + step.nothing + ".", null);
      }
      BlockFacts.changed(changed, json, terminal.out());
      return 0;
    }
  }
}
