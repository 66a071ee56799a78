package dev.switchboard.cli;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The file that keeps what a person has typed into chats, readable by that person alone.
final class ChatHistory {
  private ChatHistory() {}

  /// The file in the person's folder for state, there and ready; null where it cannot be had.
  static @Nullable Path file(Map<String, String> environment) {
    Path state = state(environment);
    if (state == null) {
      return null;
    }
    Path folder = state.resolve("switchboard");
    Path file = folder.resolve("chat_history");
    try {
      Files.createDirectories(folder, only("rwx------"));
      if (!Files.exists(file)) {
        Files.createFile(file, only("rw-------"));
      } else if (isPosix()) {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      }
      return Files.isRegularFile(file) && Files.isWritable(file) ? file : null;
    } catch (IOException e) {
      return null; // a home that cannot be written to: the chat continues without
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

  private static FileAttribute<?>[] only(String permissions) {
    return isPosix()
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  private static boolean isPosix() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  }
}
