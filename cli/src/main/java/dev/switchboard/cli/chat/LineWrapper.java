package dev.switchboard.cli.chat;

import dev.switchboard.text.InvisibleCharacters;
import org.jline.utils.WCWidth;

/// Breaks lines between words at the width of a screen, for text that arrives in fragments. A word
/// that becomes too long for its line is moved to the next one.
///
/// Not thread-safe.
final class LineWrapper {
  /// A narrower screen breaks lines itself.
  private static final int LEAST_WIDTH = 20;

  private static final int TAB = 8;

  /// The columns of an escaped character.
  private static final int WRITTEN = 6;

  private final StringBuilder word = new StringBuilder(); // before the cursor, each one column wide
  private int column;
  private int hang; // the indent of lines that were broken here
  private int first; // the column in which the line's text begins
  private boolean soft; // whether the line was broken here
  private boolean guessed; // whether the cursor's position is uncertain
  private int back; // of the current piece

  /// The output.
  ///
  /// @param back the columns to delete first: those of a word that moves to the next line
  record Piece(int back, String text) {}

  /// The output for the next fragment, which continues at the cursor.
  ///
  /// @param width the current columns of the screen; 0 for no limit
  /// @param indent the indent of lines that are broken here
  Piece next(String text, int width, int indent) {
    if (width < LEAST_WIDTH) {
      return new Piece(0, text);
    }
    back = 0;
    hang = Math.min(indent, width / 2);
    int most = width - 1;
    guessed |= column > most;
    StringBuilder out = new StringBuilder();
    int printed = word.length();
    for (int point : text.codePoints().toArray()) {
      if (point == '\n') {
        out.append('\n');
        begin(false);
        printed = 0;
      } else if (point == ' ' || point == '\t') {
        blank(out, point, most);
        printed = 0;
      } else {
        printed = letter(out, point, most, printed);
      }
    }
    return new Piece(back, out.toString());
  }

  /// The line has ended.
  void endLine() {
    begin(false);
  }

  private void begin(boolean brokenHere) {
    first = brokenHere ? hang : 0;
    column = first;
    word.setLength(0);
    soft = brokenHere;
    guessed = false;
  }

  private void blank(StringBuilder out, int point, int most) {
    int length = point == '\t' ? TAB - column % TAB : 1;
    word.setLength(0);
    if (column + length > most) {
      out.append('\n').repeat(' ', hang);
      begin(true);
    } else if (!soft || column > first) {
      out.appendCodePoint(point);
      column += length;
    }
  }

  /// The length of the part of the word that is on the screen.
  private int letter(StringBuilder out, int point, int most, int printed) {
    boolean written = InvisibleCharacters.is(point);
    int length = written ? WRITTEN : Math.max(0, WCWidth.wcwidth(point));
    int left = printed;
    if (column + length > most) {
      left = breakLine(out, length, printed);
    }
    out.appendCodePoint(point);
    column += length;
    guessed |= written || joins(point);
    if (length == 1 && Character.isBmpCodePoint(point)) {
      word.appendCodePoint(point);
      return left;
    }
    // Lines may be broken beside wide characters, and a word with combining marks is not moved.
    word.setLength(0);
    return 0;
  }

  private int breakLine(StringBuilder out, int length, int printed) {
    boolean moves = length == 1 && !word.isEmpty() && word.length() < column - first && !guessed;
    String moved = moves ? word.toString() : "";
    if (moves) {
      int unprinted = moved.length() - printed;
      out.setLength(out.length() - unprinted);
      back = printed;
    }
    out.append('\n').repeat(' ', hang).append(moved);
    begin(true);
    word.append(moved);
    column += moved.length();
    return 0;
  }

  /// Characters that terminals may draw together with others.
  private static boolean joins(int point) {
    return point == 0x200D
        || point == 0xFE0F
        || point >= 0x1F1E6 && point <= 0x1F1FF
        || point >= 0x1F3FB && point <= 0x1F3FF;
  }
}
