package dev.switchboard.execution;

import dev.switchboard.attempt.Attempts;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What goes on in a conversation right now and can be cancelled, and whether it was. Safe for use
/// by several threads.
final class OpenWork {
  private final Set<Attempts> running = ConcurrentHashMap.newKeySet();
  private final Set<Runnable> interrupts = ConcurrentHashMap.newKeySet();
  private final AtomicReference<Cancelled> cancelled = new AtomicReference<>(Cancelled.NOTHING);

  private enum Cancelled {
    NOTHING,
    TURN,
    CONVERSATION
  }

  void cancel() {
    cancelled.set(Cancelled.CONVERSATION);
    interrupt();
  }

  void cancelTurn() {
    cancelled.compareAndSet(Cancelled.NOTHING, Cancelled.TURN);
    interrupt();
  }

  void nextTurn() {
    cancelled.compareAndSet(Cancelled.TURN, Cancelled.NOTHING);
  }

  private void interrupt() {
    running.forEach(Attempts::interrupt);
    interrupts.forEach(Runnable::run);
  }

  /// Cancels the calls of tools that say so themselves; nothing else is cancelled.
  void interruptByUser() {
    running.stream()
        .filter(call -> call.call().tool().cancelsOnInterrupt())
        .forEach(Attempts::interrupt);
  }

  boolean isCancelled() {
    return cancelled.get() != Cancelled.NOTHING;
  }

  void started(Attempts call) {
    running.add(call);
    if (isCancelled()) {
      call.interrupt();
    }
  }

  void ended(Attempts call) {
    running.remove(call);
  }

  boolean isRunning(String callId) {
    return running.stream().anyMatch(one -> one.call().call().id().equals(callId));
  }

  <T extends @Nullable Object> T cancellable(Runnable interrupt, Supplier<T> work) {
    interrupts.add(interrupt);
    try {
      if (isCancelled()) {
        interrupt.run();
      }
      return work.get();
    } finally {
      interrupts.remove(interrupt);
    }
  }
}
