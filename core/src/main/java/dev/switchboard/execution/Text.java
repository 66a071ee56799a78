package dev.switchboard.execution;

/// Text made fit for a model: not too long.
final class Text {
  private Text() {}

  /// The beginning of the text with a note of how much there was, `limit` characters in all; where
  /// the limit leaves no room for a note, an ellipsis.
  static String cut(String text, int limit) {
    if (text.length() <= limit) {
      return text;
    }
    String note = "\n[cut here, of %d characters]".formatted(text.length());
    if (note.length() > limit / 2) {
      return head(text, limit - 1) + '…';
    }
    return head(text, limit - note.length()) + note;
  }

  private static String head(String text, int length) {
    boolean splitsPair = length > 0 && Character.isHighSurrogate(text.charAt(length - 1));
    return text.substring(0, splitsPair ? length - 1 : length);
  }
}
