package dev.switchboard.check;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayDeque;

/// A regular expression of JSON Schema (ECMA-262, searched, not matched), run in linear time.
final class Regex {
  /// ECMA-262's white space and line ends, as the content of a character class.
  private static final String SPACE =
      "\\t\\n\\x0b\\f\\r"
          + " \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}";

  private static final String NO_SPACE =
      "\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}"
          + "\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}";

  /// A character above U+FFFF, as a surrogate pair.
  private static final java.util.regex.Pattern PAIR =
      java.util.regex.Pattern.compile(
          "\\\\u[dD][89abAB][0-9a-fA-F]{2}\\\\u[dD][c-fC-F][0-9a-fA-F]{2}");

  private static final String EVERYTHING = "\\x{0}-\\x{10ffff}";

  /// The largest number of states of an expanded pattern.
  private static final int MOST_STATES = 20_000;

  private static final int MOST_REPEATS = 1_000;

  /// The deepest nesting of groups, since compiling takes stack.
  private static final int MOST_DEPTH = 500;

  /// States that cost nothing per character.
  private static final int FREE_STATES = 64;

  private static final java.util.regex.Pattern REPEAT =
      java.util.regex.Pattern.compile("\\{(\\d+)(?:,(\\d*))?\\}");

  private final String source;
  private final Pattern pattern;
  private final int states;

  private Regex(String source, Pattern pattern) {
    this.source = source;
    this.pattern = pattern;
    states = pattern.programSize();
  }

  /// The compiled expression.
  ///
  /// @throws IllegalArgumentException when it is invalid, or needs look-around or back references
  static Regex of(String source) {
    String translated = translated(source);
    requireSmall(translated);
    try {
      return new Regex(source, Pattern.compile(translated));
    } catch (PatternSyntaxException | StackOverflowError e) {
      throw new IllegalArgumentException(
          isExpression(source)
              ? "not a regular expression that can be checked in linear time"
              : "not a regular expression",
          e);
    }
  }

  /// Whether it is one, perhaps with look-around or back references, as Java has them too.
  private static boolean isExpression(String source) {
    try {
      java.util.regex.Pattern unused = java.util.regex.Pattern.compile(source);
      return true;
    } catch (java.util.regex.PatternSyntaxException e) {
      return false;
    } catch (StackOverflowError e) {
      return true;
    }
  }

  boolean found(String text) {
    return pattern.matcher(text).find();
  }

  String source() {
    return source;
  }

  /// The number of states of the expanded pattern.
  int states() {
    return states;
  }

  /// Whether it takes much longer to run than to read the text.
  boolean isLarge() {
    return states > FREE_STATES;
  }

  /// The most steps to search the text.
  long cost(String text) {
    return (long) text.length() * states / FREE_STATES;
  }

  /// Refuses patterns whose repeats make them huge.
  private static void requireSmall(String pattern) {
    ArrayDeque<Long> groups = new ArrayDeque<>();
    long size = 0;
    long last = 0;
    boolean inClass = false;
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      long before = size;
      if (c == '\\') {
        i++;
      }
      if (inClass) {
        inClass = c != ']';
      } else if (c == '(') {
        groups.push(size);
        size = 0;
        if (groups.size() > MOST_DEPTH) {
          throw new IllegalArgumentException(
              "larger than can be checked: it has more than " + MOST_DEPTH + " nested groups");
        }
      } else if (c == ')' && !groups.isEmpty()) {
        last = size + 2;
        size = groups.pop() + last;
      } else if (c == '{') {
        size += last * (repeats(pattern, i) - 1L);
      } else {
        inClass = c == '[';
        size++;
        last = 1;
      }
      if (size - before > MOST_STATES || size > MOST_STATES) {
        throw new IllegalArgumentException(
            "larger than can be checked: its repeats make " + MOST_STATES + " states and more");
      }
    }
  }

  /// The most repeats of the quantifier at that place; one for a literal brace.
  private static int repeats(String pattern, int at) {
    java.util.regex.Matcher repeat = REPEAT.matcher(pattern).region(at, pattern.length());
    if (!repeat.lookingAt()) {
      return 1;
    }
    String most =
        repeat.group(2) == null || repeat.group(2).isEmpty() ? repeat.group(1) : repeat.group(2);
    if (most.length() > 4 || Integer.parseInt(most) > MOST_REPEATS) {
      throw new IllegalArgumentException(
          "a pattern that repeats more than %d times, which is not supported (see `maxLength`)"
              .formatted(MOST_REPEATS));
    }
    return Math.max(1, Integer.parseInt(most));
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
      } else if (!inClass && source.startsWith("[^]", i)) {
        out.append("[" + EVERYTHING + "]");
        i += 2;
      } else if (!inClass && source.startsWith("[]", i)) {
        out.append("[^" + EVERYTHING + "]");
        i++;
      } else if (c == '[' && inClass) {
        out.append("\\[");
      } else {
        inClass = c == '[' || (inClass && c != ']');
        out.append(c);
      }
    }
    return out.toString();
  }

  /// Writes the escape whose letter is at `at`; returns the place of its last character.
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
      case 'p', 'P' -> {
        return UnicodeClass.translate(source, at, inClass, out);
      }
      case 'c' -> {
        return control(source, at, out);
      }
      default -> out.append('\\').append(letter);
    }
    return at;
  }

  private static int control(String source, int at, StringBuilder out) {
    char letter = at + 1 < source.length() ? source.charAt(at + 1) : ' ';
    boolean ascii = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
    if (!ascii) {
      throw new IllegalArgumentException(
          "not a regular expression: it has a \\c without its letter");
    }
    out.append("\\x{").append(Integer.toHexString(letter % 32)).append('}');
    return at + 1;
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
