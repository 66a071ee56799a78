package dev.switchboard.cli;

import dev.switchboard.Switchboard;
import dev.switchboard.config.AgentFile;
import dev.switchboard.config.ConfigException;
import dev.switchboard.execution.ConversationDirectory.Summary;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.StoreException;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.state.Position;
import dev.switchboard.state.Selection;
import dev.switchboard.store.Storage;
import dev.switchboard.text.MemoryOwner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// What the principal of a name owns in the storages of agents' files.
final class OwnedByName {
  private static final String SQLITE = "sqlite:";
  private static final int PAGE = 1_000;

  private OwnedByName() {}

  /// A sentence on what that name owns in the storages of agents' files beside the file of tokens
  /// and in that folder, or on a storage that cannot be read; null for nothing.
  static @Nullable String beside(Path tokens, Path folder, String name) {
    Set<Path> folders = new LinkedHashSet<>();
    folders.add(folder.toAbsolutePath().normalize());
    Path parent = tokens.toAbsolutePath().normalize().getParent();
    for (int i = 0; i < 2 && parent != null; i++) {
      folders.add(parent);
      parent = parent.getParent();
    }
    for (Path each : List.copyOf(folders)) {
      folders.add(each.resolve("agents"));
    }
    for (Path each : folders) {
      for (Path file : Files.isDirectory(each) ? StoredAgent.withStorage(each) : List.<Path>of()) {
        String owned = in(file, name);
        if (owned != null) {
          return owned;
        }
      }
    }
    return null;
  }

  private static @Nullable String in(Path file, String name) {
    AgentFile agent;
    try {
      agent = AgentFile.preview(file, Files.readString(file));
    } catch (IOException | ConfigException e) {
      return null; // it is not an agent's file
    }
    String url = agent.storage();
    if (url == null || isNotThere(file, url)) {
      return null;
    }
    try (Storage storage = Switchboard.storage(file, agent)) {
      return storage == null ? null : in(storage, agent.agent().name(), name);
    } catch (StoreException e) {
      return "It is not known whether '%s' owns conversations of the agent '%s': %s"
          .formatted(name, agent.agent().name(), e.getMessage());
    }
  }

  private static boolean isNotThere(Path file, String url) {
    return url.startsWith(SQLITE)
        && !Files.exists(file.resolveSibling(url.substring(SQLITE.length())));
  }

  private static @Nullable String in(Storage storage, String agent, String name) {
    int conversations = conversations(storage.conversations(agent), name);
    if (conversations == 0 && !remembers(storage.memory(), MemoryOwner.of(agent, name))) {
      return null;
    }
    return "'%s' still owns %s of the agent '%s', which the new token can read."
        .formatted(
            name,
            conversations == 0 ? "memory" : AgentArgument.count(conversations, "conversation"),
            agent);
  }

  private static int conversations(ConversationStore store, String name) {
    int owned = 0;
    Position before = null;
    List<Summary> page;
    do {
      page = store.directory().conversations(new Selection(null, before, PAGE));
      for (Summary conversation : page) {
        owned += isOf(conversation.header().principal(), name) ? 1 : 0;
        before = conversation.position();
      }
    } while (page.size() == PAGE);
    return owned;
  }

  private static boolean remembers(MemoryStore memory, String owner) {
    AtomicBoolean found = new AtomicBoolean(!memory.blocks(owner).isEmpty());
    memory.forEachEntry(owner, entry -> found.set(true));
    return found.get();
  }

  /// Whether that is the name, or a user of its back end.
  private static boolean isOf(@Nullable String principal, String name) {
    return principal != null && (principal.equals(name) || principal.startsWith(name + "/"));
  }
}
