package dev.switchboard.cli.chat;

import dev.switchboard.cli.chat.SafeStream.Control;
import java.util.List;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// The agent's text on a stream as it arrives, and the position in the line. Guarded by its view.
final class StreamedText {
  private static final int[] SGR = {1, 3, 36}; // of Markdown's styles

  private final SafeStream out;
  private final IntSupplier width;
  private final @Nullable Markdown markdown;
  private final LineWrapper wrapping = new LineWrapper();
  private final StringBuilder said = new StringBuilder();
  private final StringBuilder styles = new StringBuilder(); // one for each character of the word
  private int style;
  private boolean midLine;

  /// Unchanged text, with lines of any length.
  StreamedText(SafeStream out) {
    this(out, () -> 0, false);
  }

  /// Text with lines broken at that width.
  ///
  /// @param styled whether Markdown is shown by styles
  StreamedText(SafeStream out, IntSupplier width, boolean styled) {
    this.out = out;
    this.width = width;
    markdown = styled ? new Markdown() : null;
  }

  void print(String text) {
    if (!text.isEmpty()) {
      said.append(text);
      show(markdown == null ? List.of(plain(text)) : markdown.next(text));
    }
  }

  private static Markdown.Run plain(String text) {
    return new Markdown.Run(text, 0, false, 0);
  }

  private void show(List<Markdown.Run> runs) {
    runs.forEach(this::show);
    style(0);
    out.flush();
  }

  private void show(Markdown.Run run) {
    int columns = run.verbatim() ? 0 : width.getAsInt();
    LineWrapper.Piece piece = wrapping.next(run.text(), columns, run.hang());
    String text = piece.text();
    if (piece.back() > 0) {
      out.control(Control.left(piece.back()));
      out.control(Control.CLEAR_REST);
      text = moved(text, piece.back());
    }
    style(run.style());
    out.print(text);
    int blank = Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n'));
    styles.setLength(blank < 0 ? styles.length() : 0);
    styles.repeat(run.style(), text.length() - blank - 1);
    midLine = !run.text().endsWith("\n");
  }

  /// Prints the part of a word that moves to the next line, in its style; returns the rest of the
  /// text.
  private String moved(String text, int back) {
    int begin = text.length() - text.stripLeading().length();
    out.print(text.substring(0, begin));
    styles.delete(0, styles.length() - back);
    for (int i = 0; i < back; i++) {
      style(styles.charAt(i));
      out.print(text.charAt(begin + i));
    }
    return text.substring(begin + back);
  }

  private void style(int next) {
    if (next == style) {
      return;
    }
    if (style != 0) {
      out.control(Control.style(0));
    }
    for (int i = 0; i < SGR.length; i++) {
      if ((next & 1 << i) != 0) {
        out.control(Control.style(SGR[i]));
      }
    }
    style = next;
  }

  /// Ends the line, if one is open.
  void endLine() {
    if (markdown != null) {
      show(markdown.end());
    }
    if (midLine) {
      out.println();
      wrapping.endLine();
      midLine = false;
    }
  }

  /// Prints that on a separate line.
  void say(String line) {
    endLine();
    show(plain(line));
    out.println();
    wrapping.endLine();
    midLine = false;
  }

  /// Whether a line is open.
  boolean midLine() {
    return midLine;
  }

  /// Ends the turn with this last text, which may have been printed.
  void rest(String last) {
    if (!said.toString().endsWith(last)) {
      endLine();
      print(last);
    }
    endLine();
    said.setLength(0);
  }

  /// Whether the reader is gone.
  boolean broken() {
    return out.checkError();
  }
}
