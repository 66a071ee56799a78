package dev.switchboard.agent;

import dev.switchboard.builtin.BuiltInTools;
import dev.switchboard.handler.MessageRouter;
import dev.switchboard.handler.Services;
import dev.switchboard.handler.Tool;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryQuery.SearchDomain;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.time.Time;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Builds the memory of an agent, and the built-in tools by which the agent uses it.
final class AgentMemoryBuilder {
  private final String agent;
  private @Nullable MemoryStore store;
  private Memory.Scope scope = Memory.Scope.PRINCIPAL;
  private final List<Block> blocks = new ArrayList<>();
  private final Set<String> forAll = new HashSet<>(); // labels of blocks
  private final List<MemoryStore.Share> shares = new ArrayList<>(); // with the agent
  private final Set<String> builtIns = new LinkedHashSet<>();
  private final Set<String> needed = new LinkedHashSet<>(); // by rules
  private final Set<String> ownTools = new HashSet<>();
  private final List<SearchDomain> domains = new ArrayList<>();

  AgentMemoryBuilder(String agent) {
    this.agent = agent;
  }

  void store(MemoryStore kept) {
    store = kept;
  }

  void scope(Memory.Scope shared) {
    scope = shared;
  }

  Memory.Scope scope() {
    return scope;
  }

  /// Adds blocks that the agent begins with.
  void blocks(List<Block> begun) {
    for (Block block : begun) {
      if (!block.agent().equals(agent)) {
        throw new IllegalArgumentException(
            "block '%s' is of agent '%s', not of '%s'"
                .formatted(block.label(), block.agent(), agent));
      }
    }
    blocks.addAll(begun);
  }

  /// Adds labels of blocks that all principals share.
  void blocksForAll(Collection<String> labels) {
    forAll.addAll(labels);
  }

  /// Adds blocks of other agents.
  void sharedBlocks(List<MemoryStore.Share> added) {
    for (MemoryStore.Share share : added) {
      if (!share.with().equals(agent)) {
        throw new IllegalArgumentException(
            "block '%s' is shared with agent '%s', not with '%s'"
                .formatted(share.label(), share.with(), agent));
      }
    }
    shares.addAll(added);
  }

  /// Enables built-in tools.
  void builtIns(String... names) {
    for (String name : names) {
      builtIns.add(BuiltInTools.of(name).name());
    }
  }

  /// Enables the built-in tools that these rules need, unless the agent has tools of these names.
  void rules(List<ToolRule> rules) {
    rules.stream()
        .filter(rule -> rule.type() instanceof RuleType.Needed)
        .forEach(rule -> needed.add(rule.tool()));
  }

  /// Records the agent's own tools.
  void ownTools(List<Tool> tools) {
    tools.forEach(tool -> ownTools.add(tool.name()));
  }

  void searchDomains(List<SearchDomain> added) {
    domains.addAll(added);
  }

  /// The store, in which the agent's blocks exist.
  MemoryStore open() {
    MemoryStore own = store == null ? new InProcessMemory() : store;
    MemoryStore shared = MemoryStore.withShares(own, shares);
    Memory.begin(shared, blocks);
    return shared;
  }

  /// The enabled built-in tools.
  ///
  /// @param targets of messages, null for those of the router
  List<Tool> tools(@Nullable List<MessageRouter.Target> targets) {
    return BuiltInTools.of(enabled(), domains, targets);
  }

  private Set<String> enabled() {
    Set<String> enabled = new LinkedHashSet<>(builtIns);
    needed.stream()
        .filter(name -> BuiltInTools.NAMES.contains(name) && !ownTools.contains(name))
        .forEach(enabled::add);
    return enabled;
  }

  /// The memory. Its messages are stored for search only if something may search them.
  AgentMemory build(Services services, Time time) {
    Set<String> enabled = enabled();
    boolean keepsWords = store != null || !blocks.isEmpty() || !enabled.isEmpty();
    return new AgentMemory(
        services, keepsWords, enabled, new AgentMemory.Beginning(blocks, labelsForAll(), time));
  }

  /// The labels of the blocks that all principals share.
  private Set<String> labelsForAll() {
    return scope == Memory.Scope.PRINCIPAL
        ? forAll
        : blocks.stream().map(Block::label).collect(Collectors.toSet());
  }
}
