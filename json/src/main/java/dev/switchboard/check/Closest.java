package dev.switchboard.check;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/// The names that a misspelt one may mean.
public final class Closest {
  private static final int MOST = 3;
  private static final int LONGEST = 80;

  private Closest() {}

  /// Up to three of the names, the closest first: they begin with it, or differ in at most a third
  /// of its letters. To a name of two letters one may be added, or both swapped; to one of one
  /// letter nothing else is close. Letter case, underscores and hyphens are ignored.
  public static List<String> to(String name, Collection<String> names) {
    String wanted = plain(name);
    int most = Math.clamp((wanted.length() + 1) / 3, 1, 3);
    return names.stream()
        .map(known -> new Near(known, distance(wanted, plain(known), most)))
        .filter(near -> near.distance <= most && isLike(wanted, plain(near.name)))
        .sorted(Comparator.comparingInt(Near::distance))
        .limit(MOST)
        .map(Near::name)
        .toList();
  }

  /// The closest name as the end of a sentence, ` (did you mean 'string'?)`, or an empty text.
  static String hint(String name, Collection<String> names) {
    List<String> closest = to(name, names);
    return closest.isEmpty() ? "" : " (did you mean '" + closest.getFirst() + "'?)";
  }

  private record Near(String name, int distance) {}

  private static String plain(String name) {
    String begin = name.length() > LONGEST ? name.substring(0, LONGEST) : name;
    return begin.replace("_", "").replace("-", "").toLowerCase(Locale.ROOT);
  }

  /// Whether a short name has all its letters in the other one: a third of it is not even a letter.
  private static boolean isLike(String wanted, String known) {
    return switch (wanted.length()) {
      case 0, 1 -> wanted.equals(known);
      case 2 -> wanted.chars().allMatch(letter -> known.indexOf(letter) >= 0);
      default -> true;
    };
  }

  private static int distance(String wanted, String known, int most) {
    if (wanted.length() > 2 && known.startsWith(wanted)) {
      return 1;
    }
    return Math.abs(known.length() - wanted.length()) > most
        ? Integer.MAX_VALUE
        : distance(wanted, known);
  }

  /// The number of letters to insert, delete, replace or swap.
  private static int distance(String a, String b) {
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        int same = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        cost[i][j] =
            Math.min(cost[i - 1][j - 1] + same, Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
        boolean swapped =
            i > 1
                && j > 1
                && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
        if (swapped) {
          cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
      }
    }
    return cost[a.length()][b.length()];
  }
}
