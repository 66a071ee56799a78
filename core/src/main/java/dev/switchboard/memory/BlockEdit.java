package dev.switchboard.memory;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// An edit of a block's value, to be undone and made again.
///
/// @param agent whose block it is
/// @param number of the block's edits, from 1
/// @param at when it was made
/// @param by who made it: an agent, or a person at the command line
/// @param operation the word of what was done, such as `append`
/// @param before the value before it
/// @param after the value after it
/// @param key of the call that made it, so that one that is made again after a crash edits once;
///   null where none did
public record BlockEdit(
    String agent,
    String label,
    int number,
    Instant at,
    String by,
    String operation,
    String before,
    String after,
    @Nullable String key) {
  /// An edit that no call made.
  public BlockEdit(
      String agent,
      String label,
      int number,
      Instant at,
      String by,
      String operation,
      String before,
      String after) {
    this(agent, label, number, at, by, operation, before, after, null);
  }

  /// Whether another one goes when this one is written into the same log: an undone one of its
  /// number or above, or the oldest of more than [MemoryStore#MOST_EDITS].
  public boolean replaces(BlockEdit other) {
    return other.number >= number || other.number <= number - MemoryStore.MOST_EDITS;
  }
}
