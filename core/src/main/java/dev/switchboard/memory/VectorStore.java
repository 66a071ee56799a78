package dev.switchboard.memory;

import java.util.List;

/// A store that keeps a vector beside an entry, and finds what is nearest to one. The port for
/// stores of one's own that [SemanticMemory] shall search by meaning too.
public interface VectorStore extends MemoryStore {
  /// An entry that has no vector yet.
  ///
  /// @param number given by the store, rising from entry to entry, never given again
  record Unembedded(long number, Entry entry) {}

  /// The agent's entries without a vector of that model, in the order they were kept.
  ///
  /// @param after the number to begin behind, 0 for the first
  List<Unembedded> unembedded(String agent, String model, long after, int most);

  /// Keeps the vector of the entry of that number, in the place of an earlier one; nothing is done
  /// where the entry is gone. The vector goes with the entry.
  void embed(long number, String model, Vector vector);

  /// The entries that pass the query's filters, whatever its text, and have a vector of that model:
  /// the most alike first, their similarity as the score, at most as many as the query's limit.
  List<Hits.Hit> nearest(MemoryQuery query, String model, Vector vector);
}
