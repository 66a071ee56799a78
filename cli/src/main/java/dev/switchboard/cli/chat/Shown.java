package dev.switchboard.cli.chat;

/// Texts of others made fit for a screen: no control character of theirs reaches it.
final class Shown {
  private Shown() {}

  /// Words over several lines.
  static String words(String text) {
    return text.replaceAll("[\\p{Cntrl}&&[^\n\t]]", "");
  }

  /// The text in one line.
  static String line(String text) {
    return text.strip().replaceAll("[\\s\\p{Cntrl}]+", " ");
  }

  /// The text in one line of at most so many characters.
  static String cut(String text, int most) {
    String line = line(text);
    return line.length() <= most ? line : line.substring(0, Math.max(0, most - 3)) + "...";
  }
}
