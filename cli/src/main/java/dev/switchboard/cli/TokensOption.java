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

  /// Checks that the name has a token.
  void checkKnown(Tokens all, String name) {
    if (all.all().stream().noneMatch(each -> each.name().equals(name))) {
      throw Failure.work("'%s' has no token.".formatted(name), null);
    }
  }

  /// Prints a new token.
  ///
  /// @throws Failure when that fails, so that the token is not stored
  static void show(Terminal terminal, String token) {
    terminal.out().println(token);
    if (terminal.out().checkError()) {
      throw Failure.work(
          "The token cannot be printed, so none was made; standard output cannot be written.",
          null);
    }
  }

  /// The tokens of the file, which need not exist.
  Tokens open(Path folder) {
    return Tokens.open(file(folder), null, Time.SYSTEM);
  }
}
