package dev.switchboard.cli;

import dev.switchboard.Switchboard;
import dev.switchboard.agent.StoredConversations;
import dev.switchboard.config.AgentFile;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.phone.Phones;
import dev.switchboard.store.Storage;
import dev.switchboard.text.IoReasons;
import dev.switchboard.time.Time;
import dev.switchboard.toml.TomlText;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// An agent with its open storage.
///
/// @param path of the file
record StoredAgent(Path path, AgentFile file, Storage storage, ConversationStore store)
    implements AutoCloseable {
  /// The agent of that file; if none is named, the only one in the folder that names a storage.
  ///
  /// @throws Failure when there is none, or it has errors
  static StoredAgent open(@Nullable Path file, Path folder, Terminal terminal) {
    Path path = file == null ? only(folder) : file;
    AgentFile agent = AgentArgument.read(path, terminal);
    Storage storage = Switchboard.storage(path, agent);
    if (storage == null) {
      throw Failure.usage(
          path + " keeps nothing: give it a table [storage] with url = \"sqlite:agent.db\".", null);
    }
    return new StoredAgent(path, agent, storage, storage.conversations(agent.agent().name()));
  }

  /// The clock of what is stored.
  Time time() {
    return storage.time();
  }

  /// Its conversations.
  StoredConversations conversations() {
    Path log = Phones.callRecords(file);
    return new StoredConversations(
            file.agent().name(), store, storage.memory(), file.agent().memory().scope(), time())
        .withCallRecords(log == null ? List.of() : List.of(log));
  }

  private static Path only(Path folder) {
    List<Path> files = withStorage(folder);
    if (files.size() == 1) {
      return files.getFirst();
    }
    String names = files.stream().map(Path::toString).collect(Collectors.joining(", "));
    throw Failure.usage(
        files.isEmpty()
            ? "No *.toml here has a table [storage] with url = \"sqlite:agent.db\"; name the"
                + " agent's file."
            : "Several agents here have a storage: " + names + "; name one of the files.",
        null);
  }

  /// The agents' files of the folder that name a storage.
  ///
  /// @throws Failure when the folder cannot be read
  static List<Path> withStorage(Path folder) {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.toml")) {
      for (Path file : files) {
        if (Files.isRegularFile(file) && namesStorage(file)) {
          found.add(file);
        }
      }
    } catch (IOException e) {
      throw Failure.work(
          "The files of this folder cannot be read: " + IoReasons.ofFile(e) + ".", e);
    }
    Collections.sort(found);
    return found;
  }

  private static boolean namesStorage(Path file) throws IOException {
    try {
      return TomlText.parse(Files.readString(file)).document().contains("storage");
    } catch (CharacterCodingException e) {
      return false; // it is not TOML
    }
  }

  @Override
  public void close() {
    storage.close();
  }
}
