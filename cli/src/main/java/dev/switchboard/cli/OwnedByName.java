package dev.switchboard.cli;

import dev.switchboard.Switchboard;
import dev.switchboard.config.AgentFile;
import dev.switchboard.config.ConfigException;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.Summary;
import dev.switchboard.state.Position;
import dev.switchboard.state.Selection;
import dev.switchboard.store.Storage;
import dev.switchboard.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the principal of a name owns in the storages of agents' files, as far as they are files
/// too.
final class OwnedByName {
  private static final String SQLITE = "sqlite:";
  private static final int PAGE = 1_000;

  private OwnedByName() {}

  /// What that name owns in the storages beside the file of tokens and in that folder, in words;
  /// null for nothing.
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
    try {
      AgentFile agent = AgentFile.preview(file, Files.readString(file));
      String url = agent.storage();
      if (url == null
          || !url.startsWith(SQLITE)
          || !Files.exists(file.resolveSibling(url.substring(SQLITE.length())))) {
        return null;
      }
      try (Storage storage = Switchboard.storage(file, agent)) {
        return storage == null ? null : in(storage, agent.agent().name(), name);
      }
    } catch (IOException | ConfigException | StoreException e) {
      // It is not an agent's file, or its storage cannot be read now.
      return null;
    }
  }

  private static @Nullable String in(Storage storage, String agent, String name) {
    ConversationStore store = storage.conversations(agent);
    int owned = 0;
    Position before = null;
    List<Summary> page;
    do {
      page = store.conversations(new Selection(null, before, PAGE));
      for (Summary one : page) {
        owned += isOf(one.header().principal(), name) ? 1 : 0;
        before = one.position();
      }
    } while (page.size() == PAGE);
    return owned == 0
        ? null
        : "%s of the agent '%s'".formatted(AgentArgument.count(owned, "conversation"), agent);
  }

  /// Whether that is the name, or a user of its back end.
  private static boolean isOf(@Nullable String principal, String name) {
    return principal != null && (principal.equals(name) || principal.startsWith(name + "/"));
  }
}
