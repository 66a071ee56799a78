package dev.switchboard.execution;

import dev.switchboard.attempt.Attempts;
import dev.switchboard.handler.Tool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The running work of a conversation that can be cancelled, and whether it was. Thread-safe.
class OpenWork {
  /// Of a single call, which nothing cancels.
  static final OpenWork NONE =
      new OpenWork() {
        @Override
        void began(Attempts call) {}

        @Override
        void ended(Attempts call) {}

        @Override
        <T extends @Nullable Object> T cancellable(Runnable interrupt, Supplier<T> work) {
          return work.get();
        }
      };

  private final List<Attempts> running = new ArrayList<>(1); // guarded by this
  private final List<Runnable> interrupts = new ArrayList<>(1); // guarded by this
  private final Set<String> abandoned = ConcurrentHashMap.newKeySet();
  private boolean over; // whether the conversation was cancelled; guarded by this
  private volatile boolean mayHaveBegun; // whether a dead process may have begun its calls
  private volatile boolean cancelled; // whether the conversation was, or its turn
  private volatile @Nullable BiFunction<String, Tool, Duration> deadlines; // of its host

  void cancel() {
    synchronized (this) {
      over = true;
      cancelled = true;
    }
    interrupt();
  }

  void cancelTurn() {
    synchronized (this) {
      cancelled = true;
    }
    interrupt();
  }

  synchronized void nextTurn() {
    cancelled = over;
  }

  private void interrupt() {
    running().forEach(Attempts::interrupt);
    List<Runnable> all;
    synchronized (this) {
      all = List.copyOf(interrupts);
    }
    all.forEach(Runnable::run);
  }

  private synchronized List<Attempts> running() {
    return List.copyOf(running);
  }

  /// Cancels the calls of tools that state this themselves.
  void interruptByUser() {
    running().stream()
        .filter(call -> call.call().tool().cancelsOnInterrupt())
        .forEach(Attempts::interrupt);
  }

  /// Sets how long calls may take, by their id and tool.
  void limit(BiFunction<String, Tool, Duration> ofHost) {
    deadlines = ofHost;
  }

  /// How long a call that begins now may take.
  Duration deadline(String callId, Tool tool) {
    BiFunction<String, Tool, Duration> ofHost = deadlines;
    return ofHost == null ? tool.options().deadline() : ofHost.apply(callId, tool);
  }

  /// Sets whether a process that died may have begun the calls that follow.
  void setMayHaveBegun(boolean may) {
    mayHaveBegun = may;
  }

  boolean mayHaveBegun() {
    return mayHaveBegun;
  }

  /// Records that the answered call of that id was abandoned here before its handler began.
  void abandoned(String callId) {
    abandoned.add(callId);
  }

  /// Whether the answered call of that id was abandoned in this process.
  boolean wasAbandoned(String callId) {
    return abandoned.contains(callId);
  }

  boolean isCancelled() {
    return cancelled;
  }

  /// Makes a cancel reach that call. The call itself checks for an earlier one.
  synchronized void began(Attempts call) {
    running.add(call);
  }

  synchronized void ended(Attempts call) {
    running.remove(call);
  }

  boolean isRunning(String callId) {
    return running().stream().anyMatch(attempts -> attempts.call().call().id().equals(callId));
  }

  <T extends @Nullable Object> T cancellable(Runnable interrupt, Supplier<T> work) {
    synchronized (this) {
      interrupts.add(interrupt);
    }
    try {
      if (cancelled) {
        interrupt.run();
      }
      return work.get();
    } finally {
      synchronized (this) {
        interrupts.remove(interrupt);
      }
    }
  }
}
