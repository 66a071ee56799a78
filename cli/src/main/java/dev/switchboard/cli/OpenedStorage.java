package dev.switchboard.cli;

import dev.switchboard.Switchboard;
import dev.switchboard.config.AgentFile;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.memory.VectorStore;
import dev.switchboard.store.Storage;
import dev.switchboard.text.MemoryOwner;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// The storage of an agent; if its file names none, memory in this process.
///
/// @param store null if conversations are not stored
record OpenedStorage(
    @Nullable Storage storage, @Nullable ConversationStore store, MemoryStore memory)
    implements AutoCloseable {
  static OpenedStorage open(Path file, AgentFile agent, PrintStream err) {
    return open(file, agent, err, new InProcessMemory());
  }

  /// @param inProcess the memory of agents without storage
  static OpenedStorage open(
      Path file, AgentFile agent, PrintStream err, InProcessMemory inProcess) {
    Storage storage = Switchboard.storage(file, agent);
    if (storage == null) {
      return new OpenedStorage(null, null, searched(agent, inProcess, err));
    }
    try {
      ConversationStore store = storage.conversations(agent.agent().name());
      return new OpenedStorage(storage, store, searched(agent, storage.memory(), err));
    } catch (RuntimeException e) {
      storage.close();
      throw e;
    }
  }

  /// The memory of that store, searched also by meaning if the file names embeddings and they are
  /// available.
  static MemoryStore searched(AgentFile agent, VectorStore store, PrintStream err) {
    try {
      return Switchboard.memory(agent, store);
    } catch (IllegalArgumentException e) {
      err.println("Memory is searched by words alone: " + e.getMessage() + ".");
      return store;
    }
  }

  /// Removes what was said in a conversation of that principal and id.
  BiConsumer<String, String> words(AgentFile agent) {
    String name = agent.agent().name();
    return (principal, id) -> {
      String owner = MemoryOwner.of(name, principal);
      long unused = memory.deleteLabelled(owner, Entry.CONVERSATIONS, id);
    };
  }

  @Override
  public void close() {
    memory.close();
    if (storage != null) {
      storage.close();
    }
  }
}
