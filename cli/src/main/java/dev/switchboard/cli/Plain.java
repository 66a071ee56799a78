package dev.switchboard.cli;

import dev.switchboard.text.Unseen;

/// Texts of others in one line, cut as the stream shows them.
final class Plain {
  private Plain() {}

  /// The text in one line.
  static String line(String text) {
    return Unseen.shown(text.strip().replaceAll("\\s+", " "));
  }

  /// The text in one line of at most so many characters.
  static String cut(String text, int most) {
    String line = line(text);
    return line.codePointCount(0, line.length()) <= most
        ? line
        : line.substring(0, line.offsetByCodePoints(0, most - 3)) + "...";
  }
}
