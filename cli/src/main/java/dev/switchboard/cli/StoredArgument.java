package dev.switchboard.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/// The optional file of an agent with a storage.
final class StoredArgument {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "AGENT.toml",
      description = "The agent's file; if left out, the only *.toml here that has a storage.")
  private @Nullable Path file;

  @Nullable Path file() {
    return file;
  }
}
