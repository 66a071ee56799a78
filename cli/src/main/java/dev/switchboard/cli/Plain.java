package dev.switchboard.cli;

/// Texts of others made fit for a terminal: no control character of theirs reaches it.
final class Plain {
  private Plain() {}

  /// The text in one line.
  static String line(String text) {
    return text.strip().replaceAll("[\\s\\p{Cntrl}\\p{Cf}]+", " ");
  }

  /// The text in one line of at most so many characters.
  static String cut(String text, int most) {
    String line = line(text);
    return line.codePointCount(0, line.length()) <= most
        ? line
        : line.substring(0, line.offsetByCodePoints(0, most - 3)) + "...";
  }

  /// The text in its lines.
  static String lines(String text) {
    return text.replaceAll("[\\p{Cc}&&[^\n\t]]", "");
  }
}
