package dev.switchboard.cli;

import dev.switchboard.json.Json;
import dev.switchboard.memory.Block;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `switchboard memory show`: shows the text of a block.
@Command(
    name = "show",
    description = {
      "Print the text of a block.",
      "",
      "Control characters and invisible characters are escaped."
    },
    footer = {
      "  switchboard memory show guest agent.toml",
      "  switchboard memory show guest --json | jq -r .version"
    })
final class MemoryShowCommand implements Runnable {
  private final Terminal terminal;
  private final Path folder;

  @Mixin private LabelArguments block;

  @Mixin private PrincipalOption whose;

  @Option(
      names = "--json",
      description =
          "Print {label, agent, kind, description, permission, pinned, inPrompt, version, length,"
              + " limit, value}.")
  private boolean json;

  MemoryShowCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    this.folder = folder;
  }

  @Override
  public void run() {
    try (OpenMemory memory = OpenMemory.begun(block.file(), folder, terminal, whose.name())) {
      Block found = memory.inHands().block(block.label()).block();
      if (json) {
        terminal.out().println(Json.of(BlockFacts.all(found).put("value", found.value())));
      } else {
        found.value().lines().forEach(terminal.out()::println);
      }
    }
  }
}
