package dev.switchboard.cli.chat;

import java.io.PrintStream;
import java.util.function.IntSupplier;

/// The agent's words on a stream as they come, and where the line stands. Guarded by its view.
final class Words {
  private final PrintStream out;
  private final IntSupplier width;
  private final Wrapping wrapping = new Wrapping();
  private final StringBuilder said = new StringBuilder();
  private boolean midLine;

  /// Words in lines of any length.
  Words(PrintStream out) {
    this(out, () -> 0);
  }

  /// Words in lines that are broken at that width.
  Words(PrintStream out, IntSupplier width) {
    this.out = out;
    this.width = width;
  }

  void print(String text) {
    String shown = Shown.words(text);
    if (!shown.isEmpty()) {
      said.append(shown);
      out.print(wrapping.next(shown, width.getAsInt()));
      out.flush();
      midLine = !shown.endsWith("\n");
    }
  }

  /// Ends the line, if one is open.
  void endLine() {
    if (midLine) {
      out.println();
      wrapping.endLine();
      midLine = false;
    }
  }

  /// A line that is not the agent's, broken at the same width.
  void line(String text) {
    out.println(wrapping.next(text, width.getAsInt()));
    wrapping.endLine();
  }

  /// Whether a line is open.
  boolean midLine() {
    return midLine;
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
