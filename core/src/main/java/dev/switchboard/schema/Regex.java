package dev.switchboard.schema;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/// A regular expression of JSON Schema (ECMA-262's dialect, searched for, not matched), run in
/// linear time.
final class Regex {
  /// ECMA-262's white space and line ends, as the inside of a character class.
  private static final String SPACE =
      "\\t\\n\\x0b\\f\\r"
          + " \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}";

  private static final String NO_SPACE =
      "\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}"
          + "\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}";

  /// A character beyond the first 65536, as the two halves of its surrogate pair.
  private static final java.util.regex.Pattern PAIR =
      java.util.regex.Pattern.compile(
          "\\\\u[dD][89abAB][0-9a-fA-F]{2}\\\\u[dD][c-fC-F][0-9a-fA-F]{2}");

  private final String source;
  private final Pattern pattern;

  private Regex(String source, Pattern pattern) {
    this.source = source;
    this.pattern = pattern;
  }

  /// The compiled expression.
  ///
  /// @throws IllegalArgumentException when it is broken, or needs look-around or back references
  static Regex of(String source) {
    try {
      return new Regex(source, Pattern.compile(translated(source)));
    } catch (PatternSyntaxException | StackOverflowError e) {
      throw new IllegalArgumentException(
          "not a regular expression that can be checked in linear time", e);
    }
  }

  boolean found(String text) {
    return pattern.matcher(text).find();
  }

  String source() {
    return source;
  }

  private static String translated(String source) {
    StringBuilder out = new StringBuilder(source.length() + 16);
    boolean inClass = false;
    for (int i = 0; i < source.length(); i++) {
      char c = source.charAt(i);
      if (c == '\\' && i + 1 < source.length()) {
        i = escape(source, i + 1, inClass, out);
      } else if (c == '.' && !inClass) {
        out.append("[^\\n\\r\\x{2028}\\x{2029}]");
      } else if (c == '[' && inClass) {
        out.append("\\[");
      } else {
        inClass = c == '[' || (inClass && c != ']');
        out.append(c);
      }
    }
    return out.toString();
  }

  /// Writes the escape whose letter stands at `at`; returns the place of its last character.
  private static int escape(String source, int at, boolean inClass, StringBuilder out) {
    char letter = source.charAt(at);
    switch (letter) {
      case 's' -> out.append(inClass ? SPACE : "[" + SPACE + "]");
      case 'S' -> out.append(inClass ? NO_SPACE : "[^" + SPACE + "]");
      case 'v' -> out.append("\\x0b");
      case '0' -> out.append("\\x{0}");
      case '/', '-' -> out.append(letter == '-' ? "\\-" : "/");
      case 'b' -> out.append(inClass ? "\\x08" : "\\b");
      case 'u' -> {
        return unicode(source, at, out);
      }
      default -> out.append('\\').append(letter);
    }
    return at;
  }

  private static int unicode(String source, int at, StringBuilder out) {
    boolean braced = source.startsWith("{", at + 1);
    int end = braced ? source.indexOf('}', at) : at + 4;
    int start = braced ? at + 2 : at + 1;
    if (end < 0 || end >= source.length()) {
      throw new IllegalArgumentException(
          "not a regular expression: it has a \\u without its digits");
    }
    String digits = source.substring(start, braced ? end : end + 1);
    int codePoint = digits.matches("[0-9a-fA-F]{1,6}") ? Integer.parseInt(digits, 16) : -1;
    if (codePoint < 0 || codePoint > Character.MAX_CODE_POINT) {
      throw new IllegalArgumentException(
          "not a regular expression: it has a \\u without its digits");
    }
    if (!braced && PAIR.matcher(source).region(at - 1, source.length()).lookingAt()) {
      char low = (char) Integer.parseInt(source.substring(at + 7, at + 11), 16);
      out.append("\\x{")
          .append(Integer.toHexString(Character.toCodePoint((char) codePoint, low)))
          .append('}');
      return at + 10;
    }
    out.append("\\x{").append(digits).append('}');
    return end;
  }
}
