package dev.switchboard.memory;

import java.util.List;

/// What a search has found.
///
/// @param hits the best first
/// @param total how many there are, those beyond the limit included
public record Hits(List<Hit> hits, long total) {
  public Hits {
    hits = List.copyOf(hits);
  }

  /// An entry that was found.
  ///
  /// @param score how well it fits, 0 to 1, falling from hit to hit
  public record Hit(Entry entry, double score) {}
}
