package dev.switchboard.schema;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/// The names that somebody who mistyped one may have meant.
public final class Closest {
  private static final int MOST = 3;

  private Closest() {}

  /// Up to three of the names, the closest first: within a third of the letters, letter case aside.
  public static List<String> to(String name, Collection<String> names) {
    String wanted = name.toLowerCase(Locale.ROOT);
    int most = Math.max(1, Math.min(wanted.length(), 64) / 3);
    return names.stream()
        .filter(known -> Math.abs(known.length() - wanted.length()) <= most)
        .map(known -> new Near(known, distance(wanted, known.toLowerCase(Locale.ROOT))))
        .filter(near -> near.distance <= most)
        .sorted(Comparator.comparingInt(Near::distance))
        .limit(MOST)
        .map(Near::name)
        .toList();
  }

  private record Near(String name, int distance) {}

  /// Letters to insert, delete, replace or swap with their neighbour.
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
