package dev.switchboard.memory;

import dev.switchboard.memory.MemoryQuery.Hits;
import dev.switchboard.text.Words;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// The order of entries by BM25: rare words weigh more than common ones, and a word weighs more in
/// a short text than in a long one.
final class Ranking {
  private static final double SATURATION = 1.2;
  private static final double LENGTH_WEIGHT = 0.75;

  private Ranking() {}

  /// An entry and the words of its text.
  record Indexed(Entry entry, WordText words) {
    static Indexed of(Entry entry) {
      return new Indexed(entry, WordText.of(entry.text()));
    }
  }

  /// The hits among these entries, which pass the query's filters.
  static Hits among(List<Entry> entries, MemoryQuery query) {
    return search(entries.stream().map(Indexed::of).toList(), query);
  }

  /// The hits among these entries; if the query has no words, the latest.
  static Hits search(List<Indexed> allowed, MemoryQuery query) {
    List<Indexed> latestFirst =
        allowed.stream()
            .sorted(Comparator.comparing(one -> one.entry.at(), Comparator.reverseOrder()))
            .toList();
    return query.text().isBlank()
        ? Hits.latest(
            latestFirst.stream().map(Indexed::entry).limit(query.limit()).toList(), allowed.size())
        : of(latestFirst, query);
  }

  /// The entries that match the query; those with equal scores keep their order.
  private static Hits of(List<Indexed> entries, MemoryQuery query) {
    List<Words.Phrase> sought = Words.sought(query.text());
    double length = entries.stream().mapToInt(one -> one.words.size()).average().orElse(1);
    double[] scores = new double[entries.size()];
    for (Words.Phrase phrase : sought) {
      int[] counts = entries.stream().mapToInt(one -> one.words.count(phrase)).toArray();
      double weight = weight(counts);
      for (int i = 0; i < counts.length; i++) {
        double norm = 1 - LENGTH_WEIGHT + LENGTH_WEIGHT * entries.get(i).words.size() / length;
        scores[i] += weight * counts[i] / (counts[i] + SATURATION * norm);
      }
    }
    List<Hits.Hit> hits =
        IntStream.range(0, scores.length)
            .filter(i -> scores[i] > 0)
            .mapToObj(i -> new Hits.Hit(entries.get(i).entry, scores[i]))
            .sorted(Comparator.comparingDouble(Hits.Hit::score).reversed())
            .toList();
    return Hits.ranked(sought, hits.stream().limit(query.limit()).toList(), hits.size());
  }

  private static double weight(int[] counts) {
    long with = Arrays.stream(counts).filter(count -> count > 0).count();
    return Math.log(1 + (counts.length - with + 0.5) / (with + 0.5));
  }
}
