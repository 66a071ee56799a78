package dev.switchboard.config;

import static java.util.Objects.requireNonNullElse;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.handler.MessageRouter;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Block.Permission;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The other agents that an agent's file names: those whose memory blocks it shares, and those of
/// its groups and channels.
///
/// @param name of the file's agent
record OtherAgents(AgentToml toml, AgentToml.Agent agent, String name) {
  /// The groups and channels, with the names of their agents.
  Map<MessageRouter.Target, List<String>> recipients() {
    Map<MessageRouter.Target, List<String>> all = new LinkedHashMap<>();
    add("group", toml.groups(), all);
    add("channel", toml.channels(), all);
    return all;
  }

  private static void add(
      String type, List<AgentToml.Recipients> tables, Map<MessageRouter.Target, List<String>> all) {
    for (AgentToml.Recipients table : tables) {
      String id = table.name();
      if (id != null
          && all.putIfAbsent(new MessageRouter.Target(type, id), List.copyOf(table.agents()))
              != null) {
        table.at().member("name").bad("is that of another " + type);
      }
    }
  }

  /// Compares the names with the agents whose files are beside this one. A name close to one of
  /// them is an error, another unknown one a warning, since agents may have files elsewhere.
  void check(Path file) {
    if (agent.sharedBlocks().isEmpty() && toml.groups().isEmpty() && toml.channels().isEmpty()) {
      return;
    }
    Map<String, Map<String, Block>> beside = AgentsBeside.of(file);
    toml.groups().forEach(table -> checkAgents(table, beside));
    toml.channels().forEach(table -> checkAgents(table, beside));
    agent.sharedBlocks().forEach(table -> check(table, beside));
  }

  private void checkAgents(AgentToml.Recipients table, Map<String, Map<String, Block>> beside) {
    for (Value stated : table.at().member("agents").items()) {
      String other = stated.text();
      if (other != null && !other.equals(name) && !beside.containsKey(other)) {
        unknown(stated, FaultClass.UNKNOWN_AGENT, noAgent(stated.path(), other), other, beside);
      }
    }
  }

  private void check(AgentToml.SharedBlock table, Map<String, Map<String, Block>> beside) {
    String from = table.from();
    String label = table.label();
    if (from == null || label == null || from.equals(name)) {
      return;
    }
    Map<String, Block> blocks = beside.get(from);
    if (blocks == null) {
      Value at = table.at().member("from");
      unknown(at, FaultClass.UNKNOWN_AGENT, noAgent(at.path(), from), from, beside);
      return;
    }
    Block block = blocks.get(label);
    if (block == null) {
      Value at = table.at().member("label");
      String sentence =
          "%s names a block '%s' that the file of agent '%s' does not have"
              .formatted(at.path(), label, from);
      unknown(at, FaultClass.UNKNOWN_BLOCK, sentence, label, blocks);
    } else {
      checkPermission(table, block);
    }
  }

  private static void checkPermission(AgentToml.SharedBlock table, Block block) {
    Permission stated = requireNonNullElse(table.permission(), Permission.READ_ONLY);
    if (!block.permission().covers(stated)) {
      table
          .at()
          .member("permission")
          .bad(
              "must not allow more than the block's own, which is \"%s\" in the file of agent '%s'"
                  .formatted(block.permission().word(), block.agent()));
    }
  }

  private static String noAgent(String path, String other) {
    return "%s names an agent '%s' that no file in this folder describes".formatted(path, other);
  }

  private static void unknown(
      Value at, FaultClass kind, String sentence, String word, Map<String, ?> known) {
    String closest = at.closest(word, known.keySet());
    at.report(closest.isEmpty() ? Severity.WARNING : Severity.ERROR, kind, sentence + closest);
  }
}
