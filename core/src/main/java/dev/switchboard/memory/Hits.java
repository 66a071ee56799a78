package dev.switchboard.memory;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What a search has found.
///
/// @param hits the best first
/// @param total how many there are, those beyond the limit included
/// @param warning why there may be less than there should be, a clause; null where all went well
public record Hits(List<Hit> hits, long total, @Nullable String warning) {
  public Hits {
    hits = List.copyOf(hits);
  }

  /// What a search has found without trouble.
  public Hits(List<Hit> hits, long total) {
    this(hits, total, null);
  }

  /// These hits, at most so many of them.
  public Hits first(int most) {
    return new Hits(hits.stream().limit(most).toList(), total, warning);
  }

  /// These hits with that warning.
  public Hits withWarning(String clause) {
    return new Hits(hits, total, clause);
  }

  /// These hits and those of another search for the query, the best first; without words in the
  /// query, the latest first.
  public Hits and(Hits others, MemoryQuery query) {
    Comparator<Hit> order =
        query.text().isBlank()
            ? Comparator.comparing(hit -> hit.entry().at(), Comparator.reverseOrder())
            : Comparator.comparingDouble(Hit::score).reversed();
    List<Hit> both =
        Stream.concat(hits.stream(), others.hits.stream())
            .sorted(order)
            .limit(query.limit())
            .toList();
    String clause = warning == null ? others.warning : warning;
    boolean two = warning != null && others.warning != null;
    return new Hits(both, total + others.total, two ? warning + "; " + others.warning : clause);
  }

  /// Hits whose scores a store has weighed in its own way, scaled to 0 to 1: the best one's score
  /// is the part of the query that it contains, the others' are in proportion.
  ///
  /// @param weighed the best first, their scores above 0
  public static Hits ranked(List<Words.Phrase> sought, List<Hit> weighed, long total) {
    if (weighed.isEmpty()) {
      return new Hits(weighed, total);
    }
    Hit best = weighed.getFirst();
    List<String> words = Words.of(best.entry().text());
    long found = sought.stream().filter(phrase -> phrase.count(words) > 0).count();
    double part = Math.max(1, found) / (double) sought.size();
    return new Hits(
        weighed.stream()
            .map(hit -> new Hit(hit.entry(), Math.clamp(hit.score() / best.score() * part, 0, 1)))
            .toList(),
        total);
  }

  /// Entries that were asked for without words: all fit.
  public static Hits latest(List<Entry> entries, long total) {
    return new Hits(entries.stream().map(entry -> new Hit(entry, 1)).toList(), total);
  }

  /// An entry that was found.
  ///
  /// @param score how well it fits, 0 to 1, never rising from hit to hit
  public record Hit(Entry entry, double score) {}
}
