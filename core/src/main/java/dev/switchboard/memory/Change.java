package dev.switchboard.memory;

import org.jspecify.annotations.Nullable;

/// A change of one block, made only on what it expects.
///
/// @param expected the block as it is; null for one that is not there
/// @param next the block as it will be; null for none
/// @param edit written into the block's log, in the place of all edits of its number and above, and
///   of the oldest; null for none
public record Change(@Nullable Block expected, @Nullable Block next, @Nullable BlockEdit edit) {
  /// @throws IllegalArgumentException when nothing is there and nothing will be
  public Change {
    if (expected == null && next == null) {
      throw new IllegalArgumentException("a change needs a block before or after it");
    }
  }

  /// Whether the block that is there, or null, is the one it expects: by version, edits and value,
  /// since a block that was deleted and made again begins its versions again.
  public boolean fits(@Nullable Block now) {
    if (expected == null || now == null) {
      return expected == null && now == null;
    }
    return expected.version() == now.version()
        && expected.edits() == now.edits()
        && expected.value().equals(now.value());
  }

  /// Whose block it is.
  public String agent() {
    return either().agent();
  }

  /// The block's label.
  public String label() {
    return either().label();
  }

  private Block either() {
    Block block = next == null ? expected : next;
    if (block == null) {
      throw new IllegalStateException("a change needs a block before or after it");
    }
    return block;
  }
}
