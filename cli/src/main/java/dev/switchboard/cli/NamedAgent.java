package dev.switchboard.cli;

import dev.switchboard.cli.edit.AgentFiles;
import dev.switchboard.cli.edit.Refused;
import dev.switchboard.cli.edit.RuleFile;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// An agent that a command names, and its file.
final class NamedAgent {
  @Parameters(index = "0", paramLabel = "AGENT", description = "The agent's name.")
  private String name;

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "The agent's file, if it is not among *.toml and agents/*.toml.")
  private @Nullable Path file;

  String name() {
    return name;
  }

  /// Something done with the rules of a file.
  ///
  /// @param <T> what comes of it
  @FunctionalInterface
  interface Work<T> {
    T on(RuleFile file) throws Refused, IOException;
  }

  /// What came of the work on the agent's file.
  ///
  /// @throws Failure when there is no such file, or it is refused
  <T> T work(Path folder, Work<T> work) {
    try {
      return work.on(RuleFile.open(file == null ? AgentFiles.find(folder, name) : stated(file)));
    } catch (Refused e) {
      throw Failure.usage(e.sentence(), e);
    } catch (IOException e) {
      String kind = e.getClass().getSimpleName();
      throw Failure.work("The agent's file cannot be read or written: " + kind + ".", e);
    }
  }

  private Path stated(Path path) throws Refused, IOException {
    String own = AgentFiles.nameOf(path);
    if (!own.equals(name)) {
      throw Failure.usage(
          path + " is the file of the agent '" + own + "', not '" + name + "'.", null);
    }
    return path;
  }
}
