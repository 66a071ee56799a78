package dev.switchboard.cli;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Sentences on files that cannot be read.
final class FileFaults {
  private FileFaults() {}

  /// Why that file cannot be read.
  static String unread(Path file, IOException e) {
    if (Files.isDirectory(file)) {
      return file + " is a folder.";
    }
    return switch (e) {
      case NoSuchFileException missing -> file + " does not exist.";
      case AccessDeniedException denied -> file + " cannot be read: no permission.";
      case CharacterCodingException binary -> file + " cannot be read: it is not UTF-8 text.";
      default -> file + " cannot be read: " + e.getClass().getSimpleName() + ".";
    };
  }
}
