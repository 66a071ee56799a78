package dev.switchboard.guard;

import dev.switchboard.rule.Guardrail.Span;
import java.util.ArrayList;
import java.util.List;

/// Only the letters and digits of a text, folded, each with its position in the text.
final class Compact {
  private final Folded folded;
  private final String text;
  private final int[] places;

  Compact(Folded folded) {
    this.folded = folded;
    String all = folded.text();
    StringBuilder letters = new StringBuilder(all.length());
    places = new int[all.length()];
    for (int at = 0; at < all.length(); at++) {
      char letter = all.charAt(at);
      if (Character.isLetterOrDigit(letter) || Character.isSurrogate(letter)) {
        places[letters.length()] = at;
        letters.append(letter);
      }
    }
    text = letters.toString();
  }

  static String of(String text) {
    return new Compact(new Folded(text)).text;
  }

  String text() {
    return text;
  }

  /// The position in the text of the last so many letters, and of so many characters of Base64
  /// before them; the end of the text for none.
  int placeBeforeEnd(int count, int more) {
    return count == 0
        ? folded.place(folded.text().length())
        : folded.place(widerStart(places[text.length() - count], more));
  }

  /// The occurrences of that part, which is compact too.
  ///
  /// @param more how many characters of Base64 on each side belong to it
  List<Span> find(String part, int more) {
    List<Span> found = new ArrayList<>();
    int at = text.indexOf(part);
    while (at >= 0) {
      found.add(wider(places[at], places[at + part.length() - 1] + 1, more));
      at = text.indexOf(part, at + part.length());
    }
    return found;
  }

  private Span wider(int from, int to, int more) {
    String all = folded.text();
    int end = to;
    while (end < all.length() && end - to < more && isSign(all.charAt(end))) {
      end++;
    }
    return folded.span(widerStart(from, more), end);
  }

  private int widerStart(int from, int more) {
    String all = folded.text();
    int start = from;
    while (start > 0 && from - start < more && isSign(all.charAt(start - 1))) {
      start--;
    }
    return start;
  }

  private static boolean isSign(char letter) {
    return letter < 128 && (Character.isLetterOrDigit(letter) || "+/=-_".indexOf(letter) >= 0);
  }
}
