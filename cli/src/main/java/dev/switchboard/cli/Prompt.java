package dev.switchboard.cli;

import dev.switchboard.cli.chat.Manner;
import dev.switchboard.cli.chat.Shown;
import dev.switchboard.consent.Answer;
import dev.switchboard.consent.Approver;
import dev.switchboard.consent.ConsentRequest;
import java.io.IOException;
import java.util.Locale;

/// Asks the user of the command: a question on standard error, the answer a line of standard input.
/// Anything but a yes is a no; at the end of the input there is no one to ask.
final class Prompt implements Approver {
  private final Terminal terminal;
  private final LineReader lines;

  Prompt(Terminal terminal) {
    this.terminal = terminal;
    lines = new LineReader(terminal.in());
  }

  @Override
  public Answer ask(ConsentRequest request) throws IOException {
    terminal
        .err()
        .print(
            "%s Run it with %s? [y/N] "
                .formatted(Plain.line(request.reason()), Shown.arguments(request.call())));
    terminal.err().flush();
    return switch (lines.next()) {
      case null -> {
        terminal.err().println();
        yield new Answer.Nobody();
      }
      case LineReader.Line.Text(int number, String text) when isYes(text) ->
          Answer.approveOnce().by(Manner.person());
      case LineReader.Line line -> Answer.deny("").by(Manner.person());
    };
  }

  private static boolean isYes(String text) {
    String word = text.strip().toLowerCase(Locale.ROOT);
    return word.equals("y") || word.equals("yes");
  }
}
