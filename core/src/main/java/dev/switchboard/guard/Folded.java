package dev.switchboard.guard;

import dev.switchboard.rule.Guardrail.Span;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Locale;

/// A text without what hides words from a search: characters that are not seen, other forms of
/// letters and digits (Unicode NFKC, digits of all scripts), and case. Each character knows its
/// place in the text.
final class Folded {
  /// A letter is not composed with more marks than these; the others are dropped.
  private static final int MOST_MARKS = 4;

  private final StringBuilder characters;
  private final String text;
  private int[] places;
  private final int length; // of the text

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

  /// Controls of the format, such as the soft hyphen and the zero-width space, and marks that stand
  /// on the letter before.
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

  /// The place of this part of the folded text in the text itself.
  Span span(int start, int end) {
    int from = start < text.length() ? places[start] : length;
    // Up to the next character that is seen, so that nothing unseen of it is left.
    int to = end < text.length() ? places[end] : length;
    return new Span(from, Math.max(from, to));
  }
}
