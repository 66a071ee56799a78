package dev.switchboard.builtin;

import dev.switchboard.text.InvisibleCharacters;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// Marks such as `<block>` that delimit untrusted text in a prompt. The text cannot forge them,
/// even with invisible characters, full-width letters or slashes. Immutable.
public final class Fence {
  private final List<String> names;

  private Fence(List<String> names) {
    this.names = names;
  }

  /// The fence whose marks have these names, in lower case.
  public static Fence of(String... names) {
    return new Fence(List.copyOf(Arrays.asList(names)));
  }

  /// The text, changed so that it contains no mark. Takes linear time.
  public String harmless(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); ) {
      int end = i + Character.charCount(text.codePointAt(i));
      if (plain(text.codePointAt(i)).equals("<") && beginsMark(text, end)) {
        out.append("&lt;");
      } else {
        out.append(text, i, end);
      }
      i = end;
    }
    return out.toString();
  }

  private boolean beginsMark(String text, int from) {
    int start = from;
    while (start < text.length() && isBeforeName(text.codePointAt(start))) {
      start += Character.charCount(text.codePointAt(start));
    }
    for (String name : names) {
      if (begins(text, start, name)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isBeforeName(int point) {
    return isNothing(point) || plain(point).equals("/");
  }

  /// Whether that mark begins there. It does not read beyond the next `<`, so the total time is
  /// linear.
  private static boolean begins(String text, int start, String name) {
    int matched = 0;
    for (int i = start; i < text.length() && matched < name.length(); ) {
      int point = text.codePointAt(i);
      String letters = InvisibleCharacters.is(point) ? "" : plain(point);
      if (!name.startsWith(letters, matched)) {
        return false;
      }
      matched += letters.length();
      i += Character.charCount(point);
    }
    return matched == name.length();
  }

  /// Whether the character is invisible or ignored.
  private static boolean isNothing(int point) {
    return InvisibleCharacters.is(point)
        || Character.isWhitespace(point)
        || Character.isSpaceChar(point);
  }

  /// The character in its usual form: `k` for a Kelvin sign, `<` for a full-width one.
  private static String plain(int point) {
    String character = Character.toString(point);
    return (point < 0x80 ? character : Normalizer.normalize(character, Normalizer.Form.NFKC))
        .toLowerCase(Locale.ROOT);
  }
}
