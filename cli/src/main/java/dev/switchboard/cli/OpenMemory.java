package dev.switchboard.cli;

import dev.switchboard.memory.Memory;
import dev.switchboard.memory.VectorStore;
import dev.switchboard.time.Time;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The memory of an agent in its storage, which is open.
record OpenMemory(StoredAgent agent, VectorStore store) implements AutoCloseable {
  /// Who edits, in the log.
  private static final String PERSON = "command line";

  /// The memory of the agent of that file, as it is.
  ///
  /// @throws Failure as [StoredAgent#open]
  static OpenMemory open(@Nullable Path file, Path folder, Terminal terminal) {
    StoredAgent agent = StoredAgent.open(file, folder, terminal);
    return new OpenMemory(agent, agent.storage().memory());
  }

  /// An open memory, with the initial blocks of its file.
  static OpenMemory begun(@Nullable Path file, Path folder, Terminal terminal) {
    OpenMemory memory = open(file, folder, terminal);
    Memory.begin(memory.store, memory.agent.file().blocks());
    return memory;
  }

  String name() {
    return agent.file().agent().name();
  }

  /// The memory in the hands of the person who typed the command.
  Memory inHands() {
    return Memory.inHandsOf(PERSON, store, name(), Time.SYSTEM);
  }

  @Override
  public void close() {
    agent.close();
  }
}
