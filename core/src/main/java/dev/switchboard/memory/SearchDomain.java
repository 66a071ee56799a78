package dev.switchboard.memory;

import dev.switchboard.memory.MemoryQuery.Hits;

/// A domain of one's own for the tool `search`, such as the orders of a shop. The port for what is
/// searched beside an agent's memory.
///
/// Implementations are safe for use by several threads, and end soon when they are interrupted.
public interface SearchDomain {
  /// Its name, which the tool's `domain` says: 1 to 64 letters, digits, underscores or hyphens.
  String name();

  /// What it finds: entries of this domain, the best first, at most as many as the query's limit.
  ///
  /// @throws Exception when it cannot be searched; the other domains are searched all the same
  Hits search(MemoryQuery query) throws Exception;
}
