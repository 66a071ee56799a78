package dev.switchboard.cli;

import dev.switchboard.cli.edit.AgentFiles;
import dev.switchboard.cli.edit.EditRefusedException;
import dev.switchboard.cli.edit.RuleFile;
import dev.switchboard.text.IoReasons;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The agent that a command names, and its file.
final class NamedAgent {
  @Parameters(index = "0", paramLabel = "AGENT", description = "The agent's name, or its file.")
  private String name;

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "The agent's file, if it is not among *.toml and agents/*.toml.")
  private @Nullable Path file;

  /// The agent's name, even if its file was given; known after [#work].
  String name() {
    return name;
  }

  /// An operation on the rules of a file.
  ///
  /// @param <T> its result
  @FunctionalInterface
  interface Work<T> {
    T on(RuleFile file) throws EditRefusedException, IOException;
  }

  /// The result of the operation on the agent's file.
  ///
  /// @throws Failure when there is no such file, or the operation is refused
  <T> T work(Path folder, Work<T> work) {
    Path agent = file;
    try {
      agent = file == null ? found(folder) : stated(file);
      return work.on(RuleFile.open(agent));
    } catch (EditRefusedException e) {
      throw Failure.usage(e.sentence(), e);
    } catch (IOException e) {
      throw Failure.work(
          (agent == null ? "The agent's file" : agent)
              + " cannot be read or written: "
              + IoReasons.ofFile(e)
              + ".",
          e);
    }
  }

  /// A name that ends in `.toml` is a file, if it exists.
  private Path found(Path folder) throws EditRefusedException, IOException {
    Path path = folder.resolve(name);
    boolean isFile = name.endsWith(".toml") && Files.exists(path);
    Path file = isFile ? path : AgentFiles.find(folder, name);
    name = AgentFiles.nameOf(file);
    return file;
  }

  private Path stated(Path path) throws EditRefusedException, IOException {
    String own = AgentFiles.nameOf(path);
    if (!own.equals(name)) {
      throw Failure.usage(
          path + " is the file of the agent '" + own + "', not '" + name + "'.", null);
    }
    return path;
  }
}
