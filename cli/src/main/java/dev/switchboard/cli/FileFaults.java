package dev.switchboard.cli;

import dev.switchboard.text.IoReasons;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Sentences on files that cannot be read or written.
final class FileFaults {
  private FileFaults() {}

  /// Why that file cannot be read.
  static String unread(Path file, IOException e) {
    if (Files.isDirectory(file)) {
      return file + " is a folder.";
    }
    return switch (e) {
      case NoSuchFileException missing -> file + " does not exist.";
      default -> file + " cannot be read: " + IoReasons.ofFile(e) + ".";
    };
  }

  /// Why that file cannot be written.
  static String unwritten(Path file, Exception e) {
    return Files.isDirectory(file)
        ? file + " is a folder: name a file in it."
        : file + " cannot be written: " + IoReasons.ofFile(e) + ".";
  }
}
