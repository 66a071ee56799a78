package dev.switchboard.check;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// A regular expression of ECMA-262 that is left to others, such as one with look-around or with a
/// Unicode property that is not known here. Only its form is read.
final class ForeignPattern {
  /// A character or a class of characters, of which any one has the same form.
  private static final Pattern ONE =
      Pattern.compile(
          "\\\\(?:[pP]\\{[A-Za-z0-9_]{1,60}(?:=[A-Za-z0-9_]{1,60})?}|u\\{[0-9A-Fa-f]{1,6}})");

  private ForeignPattern() {}

  /// Whether it has the form of one.
  static boolean isExpression(String source) {
    try {
      return Pattern.compile(ofJava(source)).flags() == 0;
    } catch (PatternSyntaxException | StackOverflowError e) {
      return false;
    }
  }

  /// An expression of Java of the same form: in its classes `[` and `&` are operators.
  private static String ofJava(String source) {
    StringBuilder out = new StringBuilder();
    Matcher one = ONE.matcher(source);
    boolean inClass = false;
    for (int i = 0; i < source.length(); i++) {
      char c = source.charAt(i);
      if (c == '\\' && one.region(i, source.length()).lookingAt()) {
        out.append("\\w");
        i = one.end() - 1;
      } else if (c == '\\' && i + 1 < source.length()) {
        out.append(c).append(source.charAt(++i));
      } else if (!inClass && c == '[' && source.startsWith("[^]", i)) {
        out.append("[\\w\\W]");
        i += 2;
      } else {
        out.append(inClass && (c == '[' || c == '&') ? "\\" : "").append(c);
        inClass = inClass ? c != ']' : c == '[';
      }
    }
    return out.toString();
  }
}
