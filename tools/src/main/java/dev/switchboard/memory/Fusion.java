package dev.switchboard.memory;

import dev.switchboard.memory.MemoryQuery.Hits;
import dev.switchboard.memory.MemoryQuery.Hits.Hit;
import dev.switchboard.text.Words;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Combines two rankings of hits by reciprocal rank fusion: hits that rank high in both come first.
/// It uses ranks because the scores cannot be compared.
final class Fusion {
  // As in Cormack, Clarke, Büttcher: Reciprocal Rank Fusion outperforms Condorcet (2009).
  private static final double DAMPING = 60;
  private static final double BEST = 2 / (DAMPING + 1);

  private Fusion() {}

  private record Key(String domain, String id) {
    static Key of(Hit hit) {
      return new Key(hit.entry().domain(), hit.entry().id());
    }
  }

  /// The hits of both, up to the query's limit. The score is 1 for a hit that is first in both, and
  /// at most a half for a hit of only one.
  static Hits of(Hits words, List<Hit> near, MemoryQuery query) {
    Map<Key, Hit> fused = new LinkedHashMap<>();
    add(words.hits(), fused);
    add(near, fused);
    List<Hit> hits =
        fused.values().stream()
            .sorted(Comparator.comparingDouble(Hit::score).reversed())
            .limit(query.limit())
            .toList();
    List<Words.Phrase> sought = Words.sought(query.text());
    long more = near.stream().filter(hit -> !matches(sought, hit)).count();
    return new Hits(hits, words.total() + more);
  }

  private static void add(List<Hit> hits, Map<Key, Hit> fused) {
    for (int rank = 1; rank <= hits.size(); rank++) {
      Hit hit = hits.get(rank - 1);
      double score = 1 / (DAMPING + rank) / BEST;
      fused.merge(
          Key.of(hit),
          new Hit(hit.entry(), score),
          (one, other) -> new Hit(one.entry(), Math.min(1, one.score() + other.score())));
    }
  }

  /// Whether the words match it too, even below the limit of hits.
  private static boolean matches(List<Words.Phrase> sought, Hit hit) {
    List<String> words = Words.of(hit.entry().text());
    return sought.stream().anyMatch(phrase -> phrase.count(words) > 0);
  }
}
