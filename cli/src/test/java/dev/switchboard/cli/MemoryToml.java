package dev.switchboard.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The file of an agent that remembers.
final class MemoryToml {
  private MemoryToml() {}

  /// A file of that name, with the blocks `guest` of 40 characters, `rules`, which the agent may
  /// only read, and `notes`, which begins out of the prompt.
  static String of(Path folder, String name) {
    try {
      Path file = folder.resolve(name + ".toml");
      Files.writeString(
          file,
          """
          [agent]
          name = "%1$s"
          tools = ["block", "recall", "search"]

          [agent.memory.guest]
          description = "Who calls"
          char_limit = 40

          [agent.memory.rules]
          content = "Be brief."
          permission = "read_only"

          [agent.memory.notes]
          kind = "working"
          pinned = false

          [storage]
          url = "sqlite:%1$s.db"
          """
              .formatted(name));
      return file.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
