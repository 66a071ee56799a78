package dev.switchboard.cli.chat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Parses Markdown in text that arrives in fragments, into runs of one style without the signs:
/// bold, italic, code, headings, lists and fenced code. A sign without its end is held back with
/// the following text; if it stays open at the end of the line, or is long, it is shown unchanged.
///
/// Not thread-safe.
final class Markdown {
  /// The style of `**bold**` and of headings.
  static final int BOLD = 1;

  /// The style of `*italic*`.
  static final int ITALIC = 2;

  /// The style of code.
  static final int CODE = 4;

  private static final int MOST_HELD = 1000;
  private static final int NONE = -1;
  private static final int UNKNOWN = -2; // the next text decides

  private static final Pattern BLOCK =
      Pattern.compile(
          " *+(?:(?<head>#{1,6}+ ++)|(?<item>(?:[-*+]|\\d{1,9}+[.)]) ++)(?=\\S)"
              + "|(?<fence>`{3,}+|~{3,}+)[^`\n]*+\n)");

  private final List<Run> runs = new ArrayList<>();
  private String held = "";
  private boolean lineBegins = true;
  private String fence = ""; // of the block of code that is open
  private int lineStyle; // of the heading that is open
  private int hang;
  private int before; // the last character of the line, 0 at its beginning

  /// A text of one style.
  ///
  /// @param style the sum of [#BOLD], [#ITALIC] and [#CODE]
  /// @param verbatim whether its lines must not be broken
  /// @param hang the indent of broken lines
  record Run(String text, int style, boolean verbatim, int hang) {}

  /// The output for the next fragment.
  List<Run> next(String text) {
    return take(held + text, false);
  }

  /// The remaining output at the end of the text; another text may follow.
  List<Run> end() {
    List<Run> last = take(held, true);
    beginLine();
    fence = "";
    return last;
  }

  private List<Run> take(String text, boolean ends) {
    int at = 0;
    int next = 0;
    while (at < text.length() && next >= 0) {
      boolean more = !ends && text.length() - at < MOST_HELD;
      next = fence.isEmpty() ? words(text, at, more) : code(text, at, more);
      at = Math.max(at, next);
    }
    held = text.substring(at);
    List<Run> taken = List.copyOf(runs);
    runs.clear();
    return taken;
  }

  private void add(String text, int style) {
    runs.add(new Run(text, style, !fence.isEmpty(), hang));
  }

  private void beginLine() {
    lineBegins = true;
    lineStyle = 0;
    hang = 0;
    before = 0;
  }

  /// Where to continue, or [#UNKNOWN].
  private int words(String text, int at, boolean more) {
    if (lineBegins) {
      return block(text, at, more);
    }
    if (text.charAt(at) == '\n') {
      beginLine();
      add("\n", 0);
      return at + 1;
    }
    return inline(text, at, more, lineStyle);
  }

  @SuppressWarnings("JdkObsolete") // whether more letters could change the match
  private int block(String text, int at, boolean more) {
    Matcher line = BLOCK.matcher(text).region(at, text.length());
    boolean found = line.lookingAt();
    if (line.hitEnd() && more) {
      return UNKNOWN;
    }
    lineBegins = false;
    if (!found) {
      return at;
    }
    if (line.group("head") != null) {
      lineStyle = BOLD;
    } else if (line.group("item") != null) {
      hang = line.end() - at;
      add(line.group(), 0);
    } else {
      fence = line.group("fence");
      lineBegins = true;
    }
    return line.end();
  }

  private int code(String text, int at, boolean more) {
    int newline = text.indexOf('\n', at);
    int end = newline < 0 ? text.length() : newline + 1;
    String line = text.substring(at, end);
    String bare = line.strip();
    boolean signs = lineBegins && bare.chars().allMatch(sign -> sign == fence.charAt(0));
    if (signs && newline < 0 && more) {
      return UNKNOWN;
    }
    if (signs && bare.length() >= fence.length()) {
      fence = "";
      beginLine();
    } else {
      add(line, CODE);
      lineBegins = newline >= 0;
    }
    return end;
  }

  private int inline(String text, int at, boolean more, int style) {
    char sign = text.charAt(at);
    return switch (sign) {
      case '*', '_', '`' -> span(text, at, more, style);
      case '\\' -> escape(text, at, more, style);
      default -> {
        int end = at;
        while (end < text.length() && "*_`\\\n".indexOf(text.charAt(end)) < 0) {
          end++;
        }
        yield literal(text, at, end, style);
      }
    };
  }

  private int literal(String text, int from, int end, int style) {
    add(text.substring(from, end), style);
    before = text.codePointBefore(end);
    return end;
  }

  private int escape(String text, int at, boolean more, int style) {
    if (at + 1 == text.length() && more) {
      return UNKNOWN;
    }
    boolean escapes = at + 1 < text.length() && "*_`#".indexOf(text.charAt(at + 1)) >= 0;
    return escapes ? literal(text, at + 1, at + 2, style) : literal(text, at, at + 1, style);
  }

  private int span(String text, int at, boolean more, int style) {
    char sign = text.charAt(at);
    int begin = runEnd(text, at);
    int length = begin - at;
    if (begin == text.length() && more) {
      return UNKNOWN;
    }
    int close = sign == '`' || opens(text, at, begin) ? close(text, begin, length, more) : NONE;
    if (close < 0) {
      return close == NONE ? literal(text, at, begin, style) : UNKNOWN;
    }
    String inner = text.substring(begin, close);
    if (sign == '`') {
      add(bare(inner), style | CODE);
    } else {
      before = 0;
      int inside = style | (length == 1 ? ITALIC : length == 2 ? BOLD : BOLD | ITALIC);
      for (int i = 0; i < inner.length(); ) {
        i = inline(inner, i, false, inside);
      }
    }
    before = sign;
    return close + length;
  }

  private static int runEnd(String text, int at) {
    int end = at;
    while (end < text.length() && text.charAt(end) == text.charAt(at)) {
      end++;
    }
    return end;
  }

  /// Code without a space that separates a backtick at its beginning or end from the sign.
  private static String bare(String code) {
    boolean padded = code.length() > 2 && code.startsWith(" ") && code.endsWith(" ");
    return padded ? code.substring(1, code.length() - 1) : code;
  }

  private boolean opens(String text, int at, int begin) {
    int length = begin - at;
    return begin < text.length()
        && !Character.isWhitespace(text.charAt(begin))
        && length <= (text.charAt(at) == '_' ? 1 : 3)
        && isBorder(before, length)
        && (length > 1 || "/.=\\@#&%$".indexOf(before) < 0);
  }

  /// Whether that character, 0 for none, may be next to a span. In scripts that attach endings to
  /// words, bold may end within a word.
  private static boolean isBorder(int point, int length) {
    return !Character.isLetterOrDigit(point) || (length > 1 && point > 0x7f);
  }

  /// Where the sign before `begin` is closed, or [#NONE], or [#UNKNOWN].
  private static int close(String text, int begin, int length, boolean more) {
    char sign = text.charAt(begin - 1);
    int limit = Math.min(text.length(), begin + MOST_HELD);
    for (int i = begin; i < limit; i++) {
      char c = text.charAt(i);
      if (c == '\n') {
        return NONE;
      } else if (c == sign) {
        int end = runEnd(text, i);
        if (end == text.length() && more) {
          return UNKNOWN;
        }
        if (closes(text, begin, i, end, length)) {
          return end - length;
        }
        i = end - 1;
      } else if (c == '\\' && sign != '`') {
        i += text.startsWith("\n", i + 1) ? 0 : 1;
      } else if (c == '`') {
        int end = runEnd(text, i);
        int close = close(text, end, end - i, more);
        if (close == UNKNOWN) {
          return UNKNOWN;
        }
        i = close == NONE ? end - 1 : close + end - i - 1;
      }
    }
    return more ? UNKNOWN : NONE;
  }

  private static boolean closes(String text, int begin, int from, int end, int length) {
    char sign = text.charAt(from);
    int found = end - from;
    if (sign == '`') {
      return found == length;
    }
    return from > begin
        && (found == length || (found == 3 && sign == '*'))
        && !Character.isWhitespace(text.charAt(from - 1))
        && (end == text.length() || isBorder(text.codePointAt(end), length));
  }
}
