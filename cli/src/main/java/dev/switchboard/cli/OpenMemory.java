package dev.switchboard.cli;

import dev.switchboard.config.AgentFile;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.memory.VectorStore;
import dev.switchboard.time.Time;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The open memory of an agent in its storage, of one principal.
record OpenMemory(StoredAgent agent, VectorStore store, String principal) implements AutoCloseable {
  /// The name of the editor in the log.
  private static final String PERSON = "command line";

  /// The memory of that file's agent, unchanged.
  ///
  /// @throws Failure as [StoredAgent#open]
  static OpenMemory open(@Nullable Path file, Path folder, Terminal terminal, String principal) {
    StoredAgent agent = StoredAgent.open(file, folder, terminal);
    return new OpenMemory(agent, agent.storage().memory(), principal);
  }

  /// The memory of that file's agent, with the initial blocks of the file.
  static OpenMemory begun(@Nullable Path file, Path folder, Terminal terminal, String principal) {
    OpenMemory memory = open(file, folder, terminal, principal);
    AgentFile read = memory.agent.file();
    Memory.begin(memory.store, read.blocks());
    if (!memory.owner().equals(memory.name())) {
      Memory.beginForPrincipals(
          memory.store, memory.name(), read.blocks(), read.agent().memory().blocksForAll());
    }
    return memory;
  }

  String name() {
    return agent.file().agent().name();
  }

  /// The owner of the memory in the store.
  String owner() {
    return of(store).owner();
  }

  /// The memory, used by the person at the command line.
  Memory inHands() {
    return scoped(Memory.inHandsOf(PERSON, shared(store), name(), Time.SYSTEM));
  }

  /// The memory in that store, used by the agent.
  Memory of(MemoryStore other) {
    return scoped(Memory.of(shared(other), name(), Time.SYSTEM));
  }

  /// The store, with the blocks of other agents that the file's agent shares.
  private MemoryStore shared(MemoryStore other) {
    return MemoryStore.withShares(other, agent.file().agent().memory().shares());
  }

  private Memory scoped(Memory memory) {
    return memory.withScope(agent.file().agent().memory().scope()).forPrincipal(principal);
  }

  @Override
  public void close() {
    agent.close();
  }
}
