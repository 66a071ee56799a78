package dev.switchboard.cli;

import dev.switchboard.cli.edit.AgentFiles;
import dev.switchboard.config.AgentFile;
import dev.switchboard.text.IoReasons;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/// The agent's file of a command: the one that is named, or else the only one of the folder.
final class FoundAgent {
  private final Path folder;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "AGENT.toml",
      description = "The agent's file; left out, it is the only one here.")
  private @Nullable Path named;

  private @Nullable Path found;

  /// @param folder to look in
  FoundAgent(Path folder) {
    this.folder = folder;
  }

  /// @throws Failure when none is named, and there is not exactly one
  Path file() {
    if (named != null) {
      return named;
    }
    if (found == null) {
      found = only(folder);
    }
    return found;
  }

  /// As [AgentArgument#readAll(Terminal)].
  AgentFile readAll(Terminal terminal) {
    return AgentArgument.readAll(file(), terminal);
  }

  /// The only agent's file of that folder.
  ///
  /// @throws Failure when there is not exactly one
  static Path only(Path folder) {
    try {
      List<Path> files = AgentFiles.all(folder);
      if (files.size() == 1) {
        return files.getFirst();
      }
      String names = files.stream().map(Path::toString).collect(Collectors.joining(", "));
      throw Failure.usage(
          files.isEmpty()
              ? "There is no agent's file here: name one, or write one with '"
                  + CommandText.again("init")
                  + "'."
              : "There are several agents' files here: " + names + "; name one of them.",
          null);
    } catch (IOException e) {
      throw Failure.work(
          "The files of this folder cannot be read: " + IoReasons.ofFile(e) + ".", e);
    }
  }
}
