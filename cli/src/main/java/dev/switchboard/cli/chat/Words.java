package dev.switchboard.cli.chat;

import java.io.PrintStream;

/// The agent's words on a stream as they come, and where the line stands. Guarded by its view.
final class Words {
  private final PrintStream out;
  private final StringBuilder said = new StringBuilder();
  private boolean midLine;

  Words(PrintStream out) {
    this.out = out;
  }

  void print(String text) {
    String shown = Shown.words(text);
    if (!shown.isEmpty()) {
      said.append(shown);
      out.print(shown);
      out.flush();
      midLine = !shown.endsWith("\n");
    }
  }

  /// Ends the line, if one is open.
  void endLine() {
    if (midLine) {
      out.println();
      midLine = false;
    }
  }

  /// Ends the turn with these last words, which may have been printed.
  void rest(String last) {
    if (!said.toString().endsWith(Shown.words(last))) {
      endLine();
      print(last);
    }
    endLine();
    said.setLength(0);
  }

  /// Whether nobody reads them any more.
  boolean broken() {
    return out.checkError();
  }
}
