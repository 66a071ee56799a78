package dev.switchboard.cli;

import dev.switchboard.json.Json;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Memory;
import dev.switchboard.text.MemoryOwner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `switchboard memory list`: lists the blocks.
@Command(
    name = "list",
    description = {
      "List the agent's blocks, and those that other agents share with it.",
      "",
      "Blocks of the agent's file that are not there yet are made."
    },
    footer = {
      "  switchboard memory list agent.toml",
      "  switchboard memory list --json | jq -r .label"
    })
final class MemoryListCommand implements Runnable {
  private final Terminal terminal;
  private final Path folder;

  @Mixin private StoredArgument agent;

  @Mixin private PrincipalOption whose;

  @Option(
      names = "--json",
      description =
          "Print each block as {label, agent, kind, description, permission, pinned, inPrompt,"
              + " version, length, limit}.")
  private boolean json;

  MemoryListCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    this.folder = folder;
  }

  @Override
  public void run() {
    try (OpenMemory memory = OpenMemory.begun(agent.file(), folder, terminal, whose.name())) {
      show(memory.inHands().blocks().stream().map(Memory.View::block).toList(), memory.owner());
    }
  }

  private void show(List<Block> blocks, String name) {
    if (json) {
      blocks.forEach(block -> terminal.out().println(Json.of(BlockFacts.all(block))));
    } else if (blocks.isEmpty()) {
      terminal.out().println("The agent has no blocks of memory.");
    } else {
      Table.of(rows(blocks, name)).forEach(terminal.out()::println);
    }
  }

  private static List<List<String>> rows(List<Block> blocks, String name) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("LABEL", "KIND", "PERMISSION", "CHARACTERS", "PROMPT", "VERSION", "WHAT FOR"));
    for (Block block : blocks) {
      String owner =
          block.agent().equals(name)
              ? ""
              : " (of " + Plain.line(MemoryOwner.agent(block.agent())) + ")";
      rows.add(
          List.of(
              block.label() + owner,
              block.kind().word(),
              block.permission().word(),
              block.length() + " of " + block.charLimit(),
              block.inPrompt() ? block.isWorking() ? "pinned" : "yes" : "no",
              String.valueOf(block.version()),
              Plain.cut(block.description(), 60)));
    }
    return rows;
  }
}
