package dev.switchboard.memory;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// An edit of a block's value, which can be undone and redone.
///
/// @param agent the block's owner
/// @param number of the block's edits, from 1
/// @param at when it was made
/// @param by who made it: an agent, or a person at the command line
/// @param operation the word of what was done, such as `append`
/// @param before the value before it
/// @param after the value after it
/// @param key of the call that made it, so that a call repeated after a crash edits once; null if
///   no call made it
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

  /// Whether this edit removes the other from the log: an undone edit with its number or a higher
  /// one, or the oldest of more than [MemoryStore#MOST_EDITS].
  public boolean replaces(BlockEdit other) {
    return other.number >= number || other.number <= number - MemoryStore.MOST_EDITS;
  }
}
