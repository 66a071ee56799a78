package dev.switchboard.memory;

import dev.switchboard.memory.MemoryException.Kind;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Edits of a block against other writers: of several on one version one succeeds.
final class Contest {
  private static final int MOST_ATTEMPTS = 1_000;

  private Contest() {}

  /// What an attempt makes. Where another was quicker it is made again, now in turn, since there
  /// are several.
  ///
  /// @param attempt null where another was quicker
  static <T> T won(MemoryStore store, Supplier<Block> block, Supplier<@Nullable T> attempt) {
    T first = attempt.get();
    if (first != null) {
      return first;
    }
    Block contested = block.get();
    String label = contested.label();
    return store.inTurn(contested.agent(), label, () -> wonAtLast(label, attempt));
  }

  private static <T> T wonAtLast(String label, Supplier<@Nullable T> attempt) {
    for (int i = 1; i < MOST_ATTEMPTS; i++) {
      T made = attempt.get();
      if (made != null) {
        return made;
      }
    }
    throw new MemoryException(
        Kind.CONFLICT, "Block '" + label + "' is changed by others all the time: try again.");
  }
}
