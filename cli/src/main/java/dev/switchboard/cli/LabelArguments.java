package dev.switchboard.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/// A block's label, and an optional agent's file.
final class LabelArguments {
  @Parameters(index = "0", paramLabel = "LABEL", description = "The block's label.")
  private String label;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "AGENT.toml",
      description = "The agent's file; if left out, the only *.toml here that has a storage.")
  private @Nullable Path file;

  String label() {
    return label;
  }

  @Nullable Path file() {
    return file;
  }
}
