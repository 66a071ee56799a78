package dev.switchboard.memory;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The line of a text that a wrong quote probably means: the one that shares the most trigrams with
/// it, at least half of them.
final class ClosestLine {
  private static final int GRAM = 3;
  private static final int COMPARED = 500;
  private static final int SHOWN = 80;

  private ClosestLine() {}

  /// The rest of a message about a quote that is not in the value; empty if no line is similar.
  static String hint(String value, String quote) {
    Set<String> sought = grams(firstWrong(value, quote));
    List<String> lines = value.lines().toList();
    int best = -1;
    long most = Math.max(1, Math.ceilDiv(sought.size(), 2L)) - 1;
    for (int i = 0; i < lines.size(); i++) {
      long same = grams(lines.get(i)).stream().filter(sought::contains).count();
      if (same > most) {
        most = same;
        best = i;
      }
    }
    return best < 0
        ? ""
        : " The closest line is %d: '%s'.".formatted(best + 1, cut(lines.get(best)));
  }

  /// The first line of the quote that is not in the value.
  private static String firstWrong(String value, String quote) {
    return quote
        .lines()
        .filter(line -> !line.isBlank() && !value.contains(line))
        .findFirst()
        .orElse("");
  }

  /// Letter case and the number of spaces are ignored.
  private static Set<String> grams(String line) {
    String begin = line.length() > COMPARED ? line.substring(0, COMPARED) : line;
    String plain = begin.toLowerCase(Locale.ROOT).replaceAll("\\s+", " ").strip();
    Set<String> grams = new HashSet<>();
    for (int i = 0; i + GRAM <= plain.length(); i++) {
      grams.add(plain.substring(i, i + GRAM));
    }
    return grams;
  }

  private static String cut(String line) {
    return line.codePointCount(0, line.length()) <= SHOWN
        ? line
        : line.substring(0, line.offsetByCodePoints(0, SHOWN)) + "...";
  }
}
