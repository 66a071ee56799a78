package dev.switchboard.cli.chat;

import dev.switchboard.cli.chat.SafeStream.Control;
import java.util.function.IntSupplier;

/// The agent's words on a stream as they come, and where the line stands. Guarded by its view.
final class Words {
  private final SafeStream out;
  private final IntSupplier width;
  private final Wrapping wrapping = new Wrapping();
  private final StringBuilder said = new StringBuilder();
  private boolean midLine;

  /// Words in lines of any length.
  Words(SafeStream out) {
    this(out, () -> 0);
  }

  /// Words in lines that are broken at that width.
  Words(SafeStream out, IntSupplier width) {
    this.out = out;
    this.width = width;
  }

  void print(String text) {
    if (!text.isEmpty()) {
      said.append(text);
      wrapped(text);
      out.flush();
      midLine = !text.endsWith("\n");
    }
  }

  private void wrapped(String text) {
    Wrapping.Piece piece = wrapping.next(text, width.getAsInt());
    if (piece.back() > 0) {
      out.control(Control.left(piece.back()));
      out.control(Control.CLEAR_REST);
    }
    out.print(piece.text());
  }

  /// Ends the line, if one is open.
  void endLine() {
    if (midLine) {
      out.println();
      wrapping.endLine();
      midLine = false;
    }
  }

  /// Says that in a line of its own.
  void say(String line) {
    endLine();
    wrapped(line);
    out.println();
    wrapping.endLine();
  }

  /// Whether a line is open.
  boolean midLine() {
    return midLine;
  }

  /// Ends the turn with these last words, which may have been printed.
  void rest(String last) {
    if (!said.toString().endsWith(last)) {
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
