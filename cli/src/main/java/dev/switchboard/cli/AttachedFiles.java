package dev.switchboard.cli;

import dev.switchboard.model.Message.Attachment;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The files that a command attaches to a message.
final class AttachedFiles {
  private AttachedFiles() {}

  /// The files at these paths.
  ///
  /// @throws Failure when one cannot be read, or its type is not supported
  static List<Attachment> read(List<Path> paths) {
    if (paths.size() > Attachment.MOST) {
      throw Failure.usage("A sentence has at most " + Attachment.MOST + " files.", null);
    }
    List<Attachment> files = new ArrayList<>();
    for (Path path : paths) {
      try {
        files.add(Attachment.read(path));
      } catch (UncheckedIOException e) {
        String why =
            e.getCause() instanceof NoSuchFileException
                ? "there is no such file"
                : "it cannot be read";
        throw Failure.usage(path + " is not taken: " + why + ".", e);
      } catch (IllegalArgumentException e) {
        throw Failure.usage(path + " is not taken: " + e.getMessage() + ".", e);
      }
    }
    return files;
  }
}
