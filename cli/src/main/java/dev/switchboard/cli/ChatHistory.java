package dev.switchboard.cli;

import dev.switchboard.process.OwnerFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The file with the history of a user's input in chats, readable by that user only.
final class ChatHistory {
  private ChatHistory() {}

  /// The file in the user's state folder, created if needed; null if that fails.
  static @Nullable Path file(Map<String, String> environment) {
    Path state = state(environment);
    if (state == null) {
      return null;
    }
    Path file = state.resolve("switchboard").resolve("chat_history");
    try {
      new OwnerFile(file, true).createWithFolder();
      return Files.isRegularFile(file) && Files.isWritable(file) ? file : null;
    } catch (IOException e) {
      return null; // the folder is not writable: the chat continues without history
    }
  }

  private static @Nullable Path state(Map<String, String> environment) {
    try {
      Path stated = Path.of(environment.getOrDefault("XDG_STATE_HOME", ""));
      Path home = Path.of(environment.getOrDefault("HOME", System.getProperty("user.home", "")));
      Path state = stated.isAbsolute() ? stated : home.resolve(".local").resolve("state");
      return state.isAbsolute() ? state : null;
    } catch (InvalidPathException e) {
      return null;
    }
  }
}
