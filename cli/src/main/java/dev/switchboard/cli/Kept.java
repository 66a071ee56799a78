package dev.switchboard.cli;

import dev.switchboard.Switchboard;
import dev.switchboard.config.AgentFile;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.store.Storage;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// What an agent keeps: in its storage, or where its file names none, its memory in this process
/// alone.
///
/// @param store null where conversations are not kept
record Kept(@Nullable Storage storage, @Nullable ConversationStore store, MemoryStore memory)
    implements AutoCloseable {
  static Kept open(Path file, AgentFile agent) {
    Storage storage = Switchboard.storage(file, agent);
    return storage == null
        ? new Kept(null, null, new InProcessMemory())
        : new Kept(storage, storage.conversations(agent.agent().name()), storage.memory());
  }

  @Override
  public void close() {
    if (storage != null) {
      storage.close();
    }
  }
}
