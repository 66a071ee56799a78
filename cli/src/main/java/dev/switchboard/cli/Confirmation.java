package dev.switchboard.cli;

import dev.switchboard.cli.chat.YesOrNo;
import java.io.IOException;

/// A question before something that cannot be undone.
record Confirmation(Terminal terminal, boolean yes) {
  /// Whether the user agrees; with `--yes` nothing is asked.
  ///
  /// @param question without the choice
  /// @param otherwise what is printed if the user does not agree
  boolean of(String question, String otherwise) throws IOException {
    if (yes) {
      return true;
    }
    terminal.err().print(question + " [y/N] ");
    terminal.err().flush();
    boolean agreed =
        new LineReader(terminal.in()).next()
                instanceof LineReader.Line.Text(int number, String text)
            && YesOrNo.of(text) == YesOrNo.YES;
    if (!agreed) {
      terminal.err().println(otherwise);
    }
    return agreed;
  }
}
