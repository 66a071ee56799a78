package dev.switchboard.execution;

import dev.switchboard.json.Json;
import dev.switchboard.text.ExceptionLog;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The writes of a conversation that its store has not accepted yet, in order. They are repeated
/// until the store accepts them, and always before any later write.
///
/// Thread-safe.
final class Backlog {
  static final int MOST_RESULTS = 100;
  static final long MOST_CHARACTERS = 8_000_000;
  static final Duration AT_ONCE = Duration.ZERO;
  static final Duration RETRY = Duration.ofSeconds(1);

  private static final System.Logger LOG = System.getLogger(ConversationStore.class.getName());

  private final @Nullable ConversationStore store;
  private final Time time;
  private final ReentrantLock lock = new ReentrantLock();
  private final ReentrantLock writing = new ReentrantLock(); // held while they are written
  private final Deque<Write> waiting = new ArrayDeque<>(1); // guarded by lock
  private int results; // among them; guarded by lock
  private long characters; // of the results; guarded by lock
  private Time.Alarm retry = Time.Alarm.NONE; // guarded by lock
  private @Nullable RuntimeException cause; // guarded by lock
  private volatile boolean behind; // whether any write waits

  /// A write, which may be done twice.
  ///
  /// @param what it stores, for the log
  /// @param size of a result in characters, 0 for any other write
  record Write(String what, long size, Runnable work) {}

  Backlog(@Nullable ConversationStore store, Time time) {
    this.store = store;
    this.time = time;
  }

  /// Does work that waits for the store at most so long; returns its value.
  <T extends @Nullable Object> T within(Duration patience, Supplier<T> work) {
    return store == null ? work.get() : store.within(patience, work);
  }

  /// Writes after the waiting writes; false if this one waits too.
  boolean write(Write write) {
    if (behind && !flush(AT_ONCE)) {
      add(write, null);
      return false;
    }
    try {
      run(write);
      return true;
    } catch (RuntimeException thrown) {
      LOG.log(Level.DEBUG, write.what + " is not stored yet");
      warn(thrown);
      add(write, thrown);
      return false;
    }
  }

  private void warn(RuntimeException thrown) {
    String what = "results and states are not stored yet";
    if (store == null) {
      ExceptionLog.warn(LOG, what, thrown);
    } else {
      store.failed(LOG, what, thrown);
    }
  }

  private static void run(Write write) {
    try {
      write.work.run();
    } catch (ConversationConflictException lost) {
      // The process that continues the conversation makes the call again, under the same
      // idempotency key.
      LOG.log(Level.DEBUG, write.what + " is not stored: " + lost.getMessage());
    }
  }

  private void add(Write write, @Nullable RuntimeException thrown) {
    lock.lock();
    try {
      waiting.addLast(write);
      count(write, 1);
      cause = thrown == null ? cause : thrown;
      behind = true;
      if (retry.equals(Time.Alarm.NONE)) {
        retry = nextRetry();
      }
    } finally {
      lock.unlock();
    }
  }

  private void count(Write write, int sign) {
    results += write.size > 0 ? sign : 0;
    characters += sign * write.size;
  }

  private Time.Alarm nextRetry() {
    return time.alarm(
        time.nanos() + RETRY.toNanos(), () -> Thread.ofVirtual().name("store").start(this::again));
  }

  private void again() {
    boolean done = flush(AT_ONCE);
    lock.lock();
    try {
      if (!retry.equals(Time.Alarm.NONE)) {
        retry = done ? Time.Alarm.NONE : nextRetry();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Writes the waiting writes, as far as the store accepts them within that time; returns whether
  /// none is left.
  boolean flush(Duration patience) {
    if (!behind) {
      return true;
    }
    if (!writing.tryLock()) {
      return false;
    }
    try {
      return within(patience, this::writeAll);
    } finally {
      writing.unlock();
    }
  }

  private boolean writeAll() {
    int written = 0;
    for (Write next = first(); next != null; next = first()) {
      try {
        run(next);
      } catch (RuntimeException thrown) {
        LOG.log(Level.DEBUG, next.what + " is not stored yet", thrown);
        return false;
      }
      removeFirst();
      written++;
    }
    LOG.log(Level.INFO, written + " writes that had waited for the store are done");
    return true;
  }

  private @Nullable Write first() {
    lock.lock();
    try {
      return waiting.peekFirst();
    } finally {
      lock.unlock();
    }
  }

  private void removeFirst() {
    lock.lock();
    try {
      count(waiting.removeFirst(), -1);
      behind = !waiting.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /// Makes the store write what it has gathered of the conversation.
  void writeGathered(String conversation) {
    if (store != null) {
      store.writeGathered(conversation);
    }
  }

  /// Whether too many results wait for more calls to run.
  boolean full() {
    lock.lock();
    try {
      return results >= MOST_RESULTS || characters > MOST_CHARACTERS;
    } finally {
      lock.unlock();
    }
  }

  /// The number of results that wait to be stored.
  int results() {
    lock.lock();
    try {
      return results;
    } finally {
      lock.unlock();
    }
  }

  /// Writes the waiting writes once more, and stops repeating them.
  ///
  /// @throws IllegalStateException if results cannot be stored
  void close(String conversation) {
    lock.lock();
    try {
      retry.cancel();
      retry = Time.Alarm.NONE;
    } finally {
      lock.unlock();
    }
    if (behind && !finished()) {
      lock.lock();
      try {
        String sentence =
            "%d result%s of conversation '%s' could not be stored: the store did not take %s."
                .formatted(
                    results, results == 1 ? "" : "s", conversation, results == 1 ? "it" : "them");
        throw new IllegalStateException(sentence, cause);
      } finally {
        lock.unlock();
      }
    }
  }

  /// Waits for another thread that is writing them.
  private boolean finished() {
    writing.lock();
    try {
      return store == null || writeAll();
    } finally {
      writing.unlock();
    }
  }

  /// The event that reports that the result of a call is not stored yet.
  static Event notStored(ToolCall call) {
    return new Event.Failed(
        "The result of call '%s' is not stored yet: the store does not take it. It is written as soon as the store answers."
            .formatted(call.id()),
        "not_stored",
        Map.of("callId", Json.of(call.id())));
  }
}
