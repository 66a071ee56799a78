package dev.switchboard.memory;

import dev.switchboard.memory.MemoryException.Kind;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Edits of a block under concurrent writers: of several edits of one version, one succeeds.
final class OptimisticRetry {
  private static final int MOST_ATTEMPTS = 1_000;

  private OptimisticRetry() {}

  /// The outcome of an attempt, which is repeated if another writer was faster.
  ///
  /// @param agent the editor
  /// @param attempt returns null if another writer was faster
  static <T> T won(MemoryStore store, String agent, String label, Supplier<@Nullable T> attempt) {
    return store.inTurn(agent, label, () -> won(label, attempt));
  }

  private static <T> T won(String label, Supplier<@Nullable T> attempt) {
    for (int i = 0; i < MOST_ATTEMPTS; i++) {
      T result = attempt.get();
      if (result != null) {
        return result;
      }
    }
    throw new MemoryException(
        Kind.CONFLICT, "Block '" + label + "' is changed by others all the time: try again.");
  }
}
