package dev.switchboard.cli;

import dev.switchboard.server.access.Tokens;
import dev.switchboard.time.Time;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/// Which file of tokens a command works on.
final class TokensOption {
  @Option(
      names = "--tokens",
      paramLabel = "FILE",
      description = "The file of tokens (default: .switchboard/tokens).")
  private Path file = Tokens.DEFAULT_FILE;

  /// The file, seen from that folder.
  Path file(Path folder) {
    return folder.resolve(file);
  }

  /// The tokens in it; it need not be there yet.
  Tokens open(Path folder) {
    return Tokens.open(file(folder), null, Time.SYSTEM);
  }
}
