package dev.switchboard.cli;

import dev.switchboard.text.InvisibleCharacters;

/// Untrusted texts on one line, cut as in events.
final class Plain {
  private Plain() {}

  /// The text on one line.
  static String line(String text) {
    return InvisibleCharacters.shown(text.strip().replaceAll("\\s+", " "));
  }

  /// The text on one line, with at most that many characters.
  static String cut(String text, int most) {
    String line = line(text);
    return line.codePointCount(0, line.length()) <= most
        ? line
        : line.substring(0, line.offsetByCodePoints(0, most - 3)) + "...";
  }
}
