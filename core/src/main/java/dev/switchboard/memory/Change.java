package dev.switchboard.memory;

import org.jspecify.annotations.Nullable;

/// A change of one block, made only if the block is as expected.
///
/// @param expected the block as it is; null if there is none
/// @param next the block as it will be; null to delete it
/// @param edit written into the block's log, in the place of all edits of its number and above, and
///   of the oldest; null for none
public record Change(@Nullable Block expected, @Nullable Block next, @Nullable BlockEdit edit) {
  /// @throws IllegalArgumentException when there is no block before and none after
  public Change {
    if (expected == null && next == null) {
      throw new IllegalArgumentException("a change needs a block before or after it");
    }
  }

  /// Whether the current block, or null, is the expected one: by version, edits and value, since a
  /// block that was deleted and created again restarts its versions.
  public boolean fits(@Nullable Block now) {
    if (expected == null || now == null) {
      return expected == null && now == null;
    }
    return expected.version() == now.version()
        && expected.edits() == now.edits()
        && expected.value().equals(now.value());
  }

  /// The block's owner.
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
