package dev.switchboard.schema;

/// Commas before the end of an object or an array.
final class TrailingCommas {
  private TrailingCommas() {}

  /// The text without them; strings are left as they are.
  static String takenOut(String text) {
    StringBuilder out = new StringBuilder(text.length());
    boolean inString = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (inString) {
        out.append(c);
        if (c == '\\' && i + 1 < text.length()) {
          out.append(text.charAt(++i));
        }
        inString = c != '"';
      } else {
        inString = c == '"';
        if (c != ',' || !endsAfter(text, i + 1)) {
          out.append(c);
        }
      }
    }
    return out.toString();
  }

  private static boolean endsAfter(String text, int from) {
    int at = from;
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return at < text.length() && (text.charAt(at) == '}' || text.charAt(at) == ']');
  }
}
