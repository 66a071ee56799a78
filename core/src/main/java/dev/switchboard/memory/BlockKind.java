package dev.switchboard.memory;

import java.util.Locale;

/// Whether and how a block is in the prompt.
public enum BlockKind {
  /// Always in the prompt.
  CORE,
  /// In the prompt while it is pinned.
  WORKING,
  /// Not in the prompt, found by search.
  ARCHIVAL,
  /// In the prompt with its latest lines only.
  LOG;

  /// The word in files and on the wire, such as `core`.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The kind of that word.
  ///
  /// @throws IllegalArgumentException when there is none
  public static BlockKind of(String word) {
    for (BlockKind kind : values()) {
      if (kind.word().equals(word)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        "must be one of core, working, archival, log, not '" + word + "'");
  }
}
