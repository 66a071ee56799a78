package dev.switchboard.cli;

import dev.switchboard.cli.chat.Input;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Lines of standard input, without a prompt.
final class PipedInput implements Input {
  private final LineReader lines;

  PipedInput(Terminal terminal) {
    lines = new LineReader(terminal.in());
  }

  @Override
  public @Nullable String next(String prompt) throws IOException {
    return switch (lines.next()) {
      case null -> null;
      case LineReader.Line.Text(int number, String text) -> text;
      case LineReader.Line.Unreadable(int number, String why) ->
          throw Failure.work("Line " + number + " was not taken: " + why + ".", null);
    };
  }
}
