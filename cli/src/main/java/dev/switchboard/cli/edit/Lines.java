package dev.switchboard.cli.edit;

/// The lines of a text.
record Lines(String text) {

  /// The offset where the line of that offset begins.
  int start(int offset) {
    return text.lastIndexOf('\n', offset - 1) + 1;
  }

  /// The offset of the line after the one of that offset.
  int next(int offset) {
    int end = text.indexOf('\n', offset);
    return end < 0 ? text.length() : end + 1;
  }

  boolean isBlank(int start) {
    return start < text.length() && text.substring(start, next(start)).isBlank();
  }

  boolean isComment(int start) {
    return text.substring(start, next(start)).stripLeading().startsWith("#");
  }

  /// Whether only blanks stand before that offset in its line.
  boolean begins(int offset) {
    return text.substring(start(offset), offset).isBlank();
  }

  /// Whether only blanks and a comment stand after that offset in its line.
  boolean ends(int offset) {
    String rest = text.substring(offset, next(offset)).strip();
    return rest.isEmpty() || rest.startsWith("#");
  }

  /// The offset of the first of the comments that stand right above that line.
  ///
  /// @param least offset that belongs to nothing else
  int withComments(int start, int least) {
    int first = start;
    while (first > least && isComment(start(first - 1))) {
      first = start(first - 1);
    }
    return Math.max(first, least);
  }

  /// The end of the line before that offset, as the text ends its lines.
  String ending(int offset) {
    int end = text.lastIndexOf('\n', offset - 1);
    int known = end < 0 ? text.indexOf('\n') : end;
    return known > 0 && text.charAt(known - 1) == '\r' ? "\r\n" : "\n";
  }

  /// The text up to that offset without the end of its last line.
  int withoutEnding(int offset) {
    return offset > 1 && text.startsWith("\r\n", offset - 2) ? offset - 2 : Math.max(offset - 1, 0);
  }
}
