package dev.switchboard.guard;

import dev.switchboard.rule.Guardrail.Span;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Locale;

/// A text in a normalized form, so that variants cannot hide words: without invisible characters,
/// in Unicode NFKC, with digits of all scripts as ASCII, and in lower case. Each character has its
/// position in the text.
final class Folded {
  /// The maximum number of combining marks that are composed with a letter; further ones are
  /// dropped.
  private static final int MOST_MARKS = 4;

  private final StringBuilder characters;
  private final String text;
  private int[] places;
  private final int length; // text length

  Folded(String text) {
    characters = new StringBuilder(text.length());
    places = new int[Math.max(16, text.length())];
    length = text.length();
    for (int at = 0; at < text.length(); ) {
      int letter = text.codePointAt(at);
      int next = at + Character.charCount(letter);
      boolean isMarked = next < length && text.charAt(next) >= 0x300 && isMark(text.charAt(next));
      if (letter < 128 && !isMarked) {
        add((char) Character.toLowerCase(letter), at);
      } else if (!isUnseen(letter)) {
        fold(isMarked ? marked(text, at, next) : Character.toString(letter), at);
      }
      at = next;
    }
    this.text = characters.toString();
  }

  private static String marked(String text, int from, int firstMark) {
    int end = firstMark;
    while (end < text.length() && end < firstMark + MOST_MARKS && isMark(text.charAt(end))) {
      end++;
    }
    return text.substring(from, end);
  }

  private void fold(String letter, int at) {
    String plain = Normalizer.normalize(letter, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
    for (int i = 0; i < plain.length(); ) {
      int each = plain.codePointAt(i);
      i += Character.charCount(each);
      if (Character.isDigit(each)) {
        add((char) ('0' + Character.digit(each, 10)), at);
      } else if (!isUnseen(each)) {
        for (char half : Character.toChars(each)) {
          add(half, at);
        }
      }
    }
  }

  private void add(char letter, int at) {
    if (characters.length() == places.length) {
      places = Arrays.copyOf(places, places.length * 2);
    }
    places[characters.length()] = at;
    characters.append(letter);
  }

  private static boolean isMark(int letter) {
    return Character.getType(letter) == Character.NON_SPACING_MARK;
  }

  /// Format characters, such as the soft hyphen and the zero-width space, and combining marks.
  static boolean isUnseen(int letter) {
    if (letter < 128) {
      return false;
    }
    return switch (Character.getType(letter)) {
      case Character.FORMAT, Character.NON_SPACING_MARK, Character.ENCLOSING_MARK -> true;
      default -> letter == 0x115F || letter == 0x1160 || letter == 0x3164 || letter == 0xFFA0;
    };
  }

  String text() {
    return text;
  }

  /// The position in the text of that character of the folded text.
  int place(int at) {
    return at < text.length() ? places[at] : length;
  }

  /// The position in the text of this part of the folded text.
  Span span(int start, int end) {
    int from = place(start);
    // Up to the next visible character, to include the invisible ones after it.
    int to = place(end);
    return new Span(from, Math.max(from, to));
  }
}
