package dev.switchboard.cli;

import dev.switchboard.server.access.Tokens;
import dev.switchboard.time.Time;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/// The file of tokens of a command.
final class TokensOption {
  @Option(
      names = "--tokens",
      paramLabel = "FILE",
      description = "The file of tokens (default: .switchboard/tokens).")
  private Path file = Tokens.DEFAULT_FILE;

  /// The file, relative to that folder.
  Path file(Path folder) {
    return folder.resolve(file);
  }

  /// The tokens of the file, which need not exist.
  Tokens open(Path folder) {
    return Tokens.open(file(folder), null, Time.SYSTEM);
  }
}
