package dev.switchboard.schema;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The word that was meant by a misspelt one.
final class Suggestion {
  private Suggestion() {}

  /// For example `no such property (did you mean 'partySize'?)`.
  static String noSuchProperty(String name, List<String> known) {
    String meant = closest(name, known);
    return meant == null ? "no such property" : "no such property (did you mean '" + meant + "'?)";
  }

  /// The known word that is close enough to be meant, or null.
  static @Nullable String closest(String word, List<String> known) {
    String plain = plain(word);
    String best = null;
    int bestDistance = Math.min(3, plain.length() / 3 + 1);
    for (String candidate : known) {
      if (plain.length() > 2 && plain(candidate).startsWith(plain)) {
        return candidate;
      }
      int distance = distance(plain, plain(candidate), bestDistance);
      if (distance < bestDistance || distance == 0) {
        best = candidate;
        bestDistance = distance;
      }
    }
    return best;
  }

  private static String plain(String word) {
    String cut = word.length() > 80 ? word.substring(0, 80) : word;
    return cut.replace("_", "").replace("-", "").toLowerCase(Locale.ROOT);
  }

  /// The number of letters to change, add, leave out or swap; anything not below `limit` where it
  /// is greater.
  private static int distance(String one, String other, int limit) {
    if (Math.abs(one.length() - other.length()) >= Math.max(1, limit)) {
      return limit;
    }
    int[] before = new int[other.length() + 1];
    int[] row = new int[other.length() + 1];
    int[] next = new int[other.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      next[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int change = one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
        next[j] = Math.min(row[j - 1] + change, Math.min(row[j], next[j - 1]) + 1);
        boolean swapped =
            i > 1
                && j > 1
                && one.charAt(i - 1) == other.charAt(j - 2)
                && one.charAt(i - 2) == other.charAt(j - 1);
        if (swapped) {
          next[j] = Math.min(next[j], before[j - 2] + 1);
        }
      }
      int[] spare = before;
      before = row;
      row = next;
      next = spare;
    }
    return row[other.length()];
  }
}
