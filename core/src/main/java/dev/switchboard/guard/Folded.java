package dev.switchboard.guard;

import dev.switchboard.rule.Guardrail.Span;
import java.text.Normalizer;
import java.util.Locale;

/// A text without what hides words from a search: characters that are not seen, other forms of
/// letters and digits (Unicode NFKC), and case. Each character knows its place in the text.
final class Folded {
  private final StringBuilder characters = new StringBuilder();
  private int[] places;
  private final int length; // of the text

  Folded(String text) {
    places = new int[Math.max(16, text.length())];
    length = text.length();
    for (int at = 0; at < text.length(); ) {
      int letter = text.codePointAt(at);
      if (letter < 128) {
        add((char) Character.toLowerCase(letter), at);
      } else if (!isUnseen(letter)) {
        fold(letter, at);
      }
      at += Character.charCount(letter);
    }
  }

  private void fold(int letter, int at) {
    String plain =
        Normalizer.normalize(Character.toString(letter), Normalizer.Form.NFKC)
            .toLowerCase(Locale.ROOT);
    for (int i = 0; i < plain.length(); i++) {
      add(plain.charAt(i), at);
    }
  }

  private void add(char letter, int at) {
    if (characters.length() == places.length) {
      places = java.util.Arrays.copyOf(places, places.length * 2);
    }
    places[characters.length()] = at;
    characters.append(letter);
  }

  /// Controls of the format, such as the soft hyphen and the zero-width space, and marks that stand
  /// on the letter before.
  private static boolean isUnseen(int letter) {
    return switch (Character.getType(letter)) {
      case Character.FORMAT, Character.NON_SPACING_MARK, Character.ENCLOSING_MARK -> true;
      default -> letter == 0x034F || letter == 0x115F || letter == 0x1160 || letter == 0x3164;
    };
  }

  String text() {
    return characters.toString();
  }

  /// The place of this part of the folded text in the text itself.
  Span span(int start, int end) {
    int from = start < characters.length() ? places[start] : length;
    // Up to the next character that is seen, so that nothing unseen of it is left.
    int to = end < characters.length() ? places[end] : length;
    return new Span(from, Math.max(from, to));
  }
}
