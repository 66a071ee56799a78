package dev.switchboard.cli.chat;

/// The agent's words on a stream as they come, and where the line stands. Guarded by its view.
final class Words {
  private final SafeStream out;
  private final StringBuilder said = new StringBuilder();
  private boolean midLine;

  Words(SafeStream out) {
    this.out = out;
  }

  void print(String text) {
    if (!text.isEmpty()) {
      said.append(text);
      out.print(text);
      out.flush();
      midLine = !text.endsWith("\n");
    }
  }

  /// Ends the line, if one is open.
  void endLine() {
    if (midLine) {
      out.println();
      midLine = false;
    }
  }

  /// Says that in a line of its own.
  void say(String line) {
    endLine();
    out.println(line);
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
