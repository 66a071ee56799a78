package dev.switchboard.text;

import java.lang.Character.UnicodeScript;
import java.util.EnumSet;
import java.util.Set;

/// Characters that are invisible, or change how others are displayed: control characters, marks of
/// direction, and zero-width characters. Untrusted texts are shown with them escaped, such as
/// `\u202e`, so that no text looks different from what it is.
public final class InvisibleCharacters {
  // Invisible, although their category is neither control nor format.
  private static final String OTHERS =
      "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2065\u2800\u3164\uffa0";
  // Visible, although their category is format.
  private static final String SIGNS =
      "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\ud804\udcbd\ud804\udccd";
  private static final int JOINER = 0x200d;
  private static final int NON_JOINER = 0x200c;
  private static final int KEYCAP = 0x20e3;

  /// Scripts in which a joiner, or a non-joiner, changes the form of letters.
  private static final Set<UnicodeScript> JOINING =
      EnumSet.of(
          UnicodeScript.ARABIC,
          UnicodeScript.SYRIAC,
          UnicodeScript.DEVANAGARI,
          UnicodeScript.BENGALI,
          UnicodeScript.GURMUKHI,
          UnicodeScript.GUJARATI,
          UnicodeScript.ORIYA,
          UnicodeScript.TAMIL,
          UnicodeScript.TELUGU,
          UnicodeScript.KANNADA,
          UnicodeScript.MALAYALAM,
          UnicodeScript.SINHALA,
          UnicodeScript.MYANMAR,
          UnicodeScript.MONGOLIAN);

  private InvisibleCharacters() {}

  /// Whether that character is invisible, or changes how others are displayed; includes line ends
  /// and tabs.
  public static boolean is(int point) {
    if (point < 0xa0) {
      return point < 0x20 || point >= 0x7f;
    }
    return switch (Character.getType(point)) {
      case Character.FORMAT -> SIGNS.indexOf(point) < 0;
      case Character.SURROGATE, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
      default ->
          isSelector(point)
              || OTHERS.indexOf(point) >= 0
              || (point >= 0xfff0 && point <= 0xfffb)
              || (point >= 0xe0000 && point <= 0xe0fff);
    };
  }

  private static boolean isSelector(int point) {
    return (point >= 0xfe00 && point <= 0xfe0f) || (point >= 0xe0100 && point <= 0xe01ef);
  }

  /// The text with its invisible characters escaped, except line ends and tabs.
  public static String shown(String text) {
    StringBuilder out = new StringBuilder(text.length());
    int before = 0;
    for (int i = 0; i < text.length(); i += Character.charCount(before)) {
      int point = text.codePointAt(i);
      int end = i + Character.charCount(point);
      show(before, point, end < text.length() ? text.codePointAt(end) : 0, out);
      before = point;
    }
    return out.toString();
  }

  /// The text with its invisible characters escaped, including line ends and tabs, so that it is
  /// one line.
  public static String line(String text) {
    return shown(text).replace("\n", "\\n").replace("\t", "\\t");
  }

  /// Appends that character, escaped if it is invisible between those two; 0 for none.
  public static void show(int before, int point, int after, StringBuilder out) {
    if (point == '\n' || point == '\t' || !is(point) || forms(before, point, after)) {
      out.appendCodePoint(point);
    } else {
      for (char unit : Character.toChars(point)) {
        out.append("\\u").append(String.format("%04x", (int) unit));
      }
    }
  }

  /// Whether the character only changes the form of its neighbors, as within a flag or a family
  /// emoji, or between letters of a script that joins them.
  private static boolean forms(int before, int point, int after) {
    if (point == JOINER && (isPicture(before) || before == 0xfe0f)) {
      return true;
    }
    if (point == JOINER || point == NON_JOINER) {
      return JOINING.contains(UnicodeScript.of(before));
    }
    if (point == 0xfe0e || point == 0xfe0f) {
      return Character.isExtendedPictographic(before) || after == KEYCAP;
    }
    return point >= 0xe0100 && point <= 0xe01ef && UnicodeScript.of(before) == UnicodeScript.HAN;
  }

  private static boolean isPicture(int point) {
    return Character.isExtendedPictographic(point) || Character.isEmojiModifier(point);
  }
}
