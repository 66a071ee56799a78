package dev.switchboard.cli;

import dev.switchboard.memory.Memory;
import dev.switchboard.memory.VectorStore;
import dev.switchboard.time.Time;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The open memory of an agent in its storage.
record OpenMemory(StoredAgent agent, VectorStore store) implements AutoCloseable {
  /// The name of the editor in the log.
  private static final String PERSON = "command line";

  /// The memory of that file's agent, unchanged.
  ///
  /// @throws Failure as [StoredAgent#open]
  static OpenMemory open(@Nullable Path file, Path folder, Terminal terminal) {
    StoredAgent agent = StoredAgent.open(file, folder, terminal);
    return new OpenMemory(agent, agent.storage().memory());
  }

  /// The memory of that file's agent, with the initial blocks of the file.
  static OpenMemory begun(@Nullable Path file, Path folder, Terminal terminal) {
    OpenMemory memory = open(file, folder, terminal);
    Memory.begin(memory.store, memory.agent.file().blocks());
    return memory;
  }

  String name() {
    return agent.file().agent().name();
  }

  /// The memory, used by the person at the command line.
  Memory inHands() {
    return Memory.inHandsOf(PERSON, store, name(), Time.SYSTEM);
  }

  @Override
  public void close() {
    agent.close();
  }
}
