package dev.switchboard.config;

import static java.util.Objects.requireNonNullElse;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Block.Permission;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Reads the memory of an agent: its blocks, and those that it shares.
final class MemoryReader {
  private final AgentToml.Agent agent;

  MemoryReader(AgentToml.Agent agent) {
    this.agent = agent;
  }

  /// The labels of blocks that all principals share.
  Set<String> blocksForAll() {
    return agent.memory().entrySet().stream()
        .filter(memory -> memory.getValue().scope() == Memory.Scope.AGENT)
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  /// The blocks that the agent of that name begins with, in order, without invalid ones.
  List<Block> blocks(String name) {
    List<Block> blocks = new ArrayList<>();
    agent
        .memory()
        .forEach((label, memory) -> {
          try {
            Block block = block(memory, name, label);
            if (block.length() <= block.charLimit()) {
              blocks.add(block);
            } else {
              memory
                  .at()
                  .bad(
                      "holds %d characters, and its limit is %d"
                          .formatted(block.length(), block.charLimit()));
            }
          } catch (IllegalArgumentException e) {
            memory.at().error(FaultClass.BAD_VALUE, memory.at().path() + ": " + e.getMessage());
          }
        });
    return blocks;
  }

  private static Block block(AgentToml.Memory memory, String agent, String label) {
    Block block =
        Block.of(agent, label, requireNonNullElse(memory.kind(), Block.Kind.CORE))
            .withValue(requireNonNullElse(memory.content(), ""))
            .withDescription(requireNonNullElse(memory.description(), ""))
            .withCharLimit(requireNonNullElse(memory.charLimit(), Block.DEFAULT_LIMIT))
            .withPermission(requireNonNullElse(memory.permission(), Permission.READ_WRITE));
    return block.withPinned(requireNonNullElse(memory.pinned(), block.isWorking()));
  }

  /// The blocks of others that the agent of that name shares, without invalid ones.
  List<MemoryStore.Share> shares(String name) {
    List<MemoryStore.Share> shares = new ArrayList<>();
    Set<String> labels = new HashSet<>(agent.memory().keySet());
    for (AgentToml.SharedBlock table : agent.sharedBlocks()) {
      String label = table.label();
      String from = table.from();
      if (label == null || from == null) {
        continue;
      }
      if (from.equals(name)) {
        table.at().member("from").bad("must name another agent");
      }
      if (!labels.add(label)) {
        table
            .at()
            .member("label")
            .bad(
                agent.memory().containsKey(label)
                    ? "is that of a block of the agent's own, in [agent.memory]"
                    : "is that of another shared block");
      }
      Permission permission = requireNonNullElse(table.permission(), Permission.READ_ONLY);
      shares.add(new MemoryStore.Share(from, label, name, permission));
    }
    return shares;
  }
}
