package dev.switchboard.text;

/// Checks for unpaired surrogates, which Java strings and JSON escapes allow, but Unicode text does
/// not.
public final class Surrogates {
  private Surrogates() {}

  /// Whether every surrogate in the text is paired.
  public static boolean paired(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!Character.isSurrogate(c)) {
        continue;
      }
      if (Character.isLowSurrogate(c)
          || i + 1 == text.length()
          || !Character.isLowSurrogate(text.charAt(i + 1))) {
        return false;
      }
      i++;
    }
    return true;
  }

  /// Whether there is no surrogate in that part of the array.
  public static boolean noneIn(char[] letters, int from, int length) {
    for (int i = from; i < from + length; i++) {
      if (Character.isSurrogate(letters[i])) {
        return false;
      }
    }
    return true;
  }

  /// The text with each unpaired surrogate replaced by U+FFFD.
  public static String repaired(String text) {
    if (paired(text)) {
      return text;
    }
    return text.codePoints()
        .map(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xFFFD : c)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }
}
