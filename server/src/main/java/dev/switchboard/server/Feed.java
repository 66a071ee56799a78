package dev.switchboard.server;

import dev.switchboard.execution.ConversationQueue.Standing;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.tool.Event;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The log of a conversation for its streams. Each has its own cursor, so streams neither wait for
/// each other nor delay a turn. The latest events are in memory, older ones in the store.
///
/// Events of this process are added here. For events of other processes, the feed is only notified
/// that there are some: the first stream that needs them reads them from the store.
///
/// Thread-safe.
final class Feed {
  private static final int PAGE = 64;
  private static final int PROBES = 4;
  private static final long PROBE_MILLIS = 100;

  private final String conversation;
  private final ConversationStore store;
  private final @Nullable Supplier<@Nullable Standing> standing; // null if only this process adds
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final RecentEvents recent; // guarded by lock
  private boolean running; // guarded by lock
  private boolean closed; // guarded by lock
  private int readers; // guarded by lock
  private long probes; // guarded by lock
  private long interruptions; // guarded by lock
  private long news; // notifications of other processes; guarded by lock
  private long looks; // number of the latest read; guarded by lock
  private boolean behind; // whether the store may have more than this; guarded by lock
  private boolean reading; // events of other processes; guarded by lock
  private boolean unsure; // whether a turn runs; guarded by lock
  private final ReentrantLock catchingUp = new ReentrantLock();

  /// A feed whose events this process adds.
  ///
  /// @param last the number of the latest event so far
  Feed(String conversation, ConversationStore store, long last) {
    this(conversation, store, last, null);
  }

  /// @param standing reads the conversation's state from the store, if other processes add its
  ///   events; null if this one does
  Feed(
      String conversation,
      ConversationStore store,
      long last,
      @Nullable Supplier<@Nullable Standing> standing) {
    this.standing = standing;
    this.conversation = conversation;
    this.store = store;
    recent = new RecentEvents(last);
  }

  private <T extends @Nullable Object> T guarded(Supplier<T> work) {
    lock.lock();
    try {
      return work.get();
    } finally {
      lock.unlock();
    }
  }

  /// Makes a change, and wakes waiting threads.
  private void change(Runnable work) {
    lock.lock();
    try {
      work.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Adds the next event of the log, which is stored.
  void add(Event.Logged event) {
    change(() -> recent.add(event));
  }

  /// Sets whether a turn runs whose events are added here.
  void runs(boolean now) {
    change(() -> {
      running = now;
    });
  }

  /// Notes that another process has added events.
  ///
  /// @param rested whether a turn may have ended or begun to wait, too
  void noteRemoteEvents(boolean rested) {
    change(() -> {
      news++;
      behind = true;
      unsure |= rested;
    });
  }

  /// Expects the events of a turn that was just seen to run in another process.
  void expect() {
    change(() -> {
      looks++;
      running = true;
      behind = true;
    });
  }

  /// The number of notifications of other processes so far, for [#awaitNews].
  long news() {
    return guarded(() -> news);
  }

  /// Waits for a notification after that number, at most that long.
  void awaitNews(long known, long nanos) throws InterruptedException {
    boolean unused = awaitWhile(() -> news == known && !closed, nanos);
  }

  /// Waits while that is so, at most that long; returns whether it is so no more.
  private boolean awaitWhile(BooleanSupplier condition, long nanos) throws InterruptedException {
    lock.lock();
    try {
      long left = nanos;
      while (condition.getAsBoolean() && left > 0) {
        left = changed.awaitNanos(left);
      }
      return !condition.getAsBoolean();
    } finally {
      lock.unlock();
    }
  }

  /// Begins to read the conversation's state from the store, for [#stands].
  long look() {
    return guarded(() -> looks);
  }

  private void lookNow() {
    if (standing != null) {
      long look = look();
      stands(look, standing.get());
    }
  }

  /// Accepts the conversation's state in the store, by a read that began then; null if it is gone.
  void stands(long look, @Nullable Standing now) {
    change(() -> {
      if (look == looks) {
        running = now != null && now.isRunning();
        closed |= now == null;
        behind |= now != null && now.events() > recent.last();
      }
    });
  }

  /// Notes that the store has that many events.
  void reaches(long events) {
    change(() -> {
      if (events > recent.last()) {
        recent.endAt(events);
      }
    });
  }

  /// Reads the events of other processes, once for all streams.
  private void catchUp() {
    catchingUp.lock();
    try {
      if (isUnsure()) {
        lookNow();
      }
      long from = beginCatchingUp();
      if (from >= 0) {
        caughtUp(store.events(conversation, from, PAGE));
      }
    } catch (RuntimeException e) {
      noteRemoteEvents(true);
      throw e;
    } finally {
      change(() -> {
        reading = false;
      });
      catchingUp.unlock();
    }
  }

  private boolean isUnsure() {
    return guarded(() -> {
      boolean now = unsure;
      unsure = false;
      return now;
    });
  }

  private long beginCatchingUp() {
    return guarded(() -> {
      long from = behind ? recent.last() : -1;
      reading = behind;
      behind = false;
      return from;
    });
  }

  private void caughtUp(List<Event.Logged> page) {
    change(() -> {
      for (Event.Logged event : page) {
        if (event.number() == recent.last() + 1) {
          recent.add(event);
        }
      }
      behind |= page.size() == PAGE;
    });
  }

  /// The number of characters of its events in memory.
  long characters() {
    return guarded(recent::characters);
  }

  /// The number of the latest event.
  long last() {
    return guarded(recent::last);
  }

  /// The next events after that number, some or none.
  List<Event.Logged> after(long number) {
    if (isBehind(number)) {
      catchUp();
    }
    List<Event.Logged> inMemory = guarded(() -> recent.after(number));
    if (inMemory != null) {
      return inMemory;
    }
    List<Event.Logged> page = store.events(conversation, number, PAGE);
    if (page.isEmpty()) {
      gone(number);
    }
    return page;
  }

  /// Whether the store may have later events than are known here.
  boolean isBehind(long number) {
    return guarded(() -> behind && number >= recent.last());
  }

  /// Fails if the conversation is no longer stored.
  private void gone(long number) {
    change(() -> {
      recent.endAt(Math.min(recent.last(), number));
      closed = true;
    });
  }

  /// Waits until there is an event after that number, or none can come, or the client needs to be
  /// checked; at most that long.
  ///
  /// @param ofTurn whether to wait only for events of the running turn
  void await(long number, boolean ofTurn, Duration most) throws InterruptedException {
    long probed = guarded(() -> probes);
    boolean unused = awaitWhile(() -> hasNothing(number, ofTurn, probed), most.toNanos());
  }

  /// Waits as [#await(long, boolean, Duration)], but without a limit: a timer for each wait costs
  /// more than the rest of a stream's work.
  void await(long number, boolean ofTurn) throws InterruptedException {
    lock.lock();
    try {
      long probed = probes;
      while (hasNothing(number, ofTurn, probed)) {
        changed.await();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Whether a reader that began to wait at that probe has nothing to do; guarded by lock.
  private boolean hasNothing(long number, boolean ofTurn, long probed) {
    return recent.last() <= number && !behind && !isEnded(ofTurn) && probes == probed;
  }

  /// Wakes the waiting readers, which then write to their clients.
  void probe() {
    change(() -> probes++);
  }

  /// Whether there is no event after that number, and none can come.
  ///
  /// @param ofTurn as in [#await]
  boolean isOver(long number, boolean ofTurn) {
    return guarded(() -> recent.last() <= number && isEnded(ofTurn));
  }

  private boolean isEnded(boolean ofTurn) {
    return closed || ofTurn && !running && !behind && !reading;
  }

  /// Whether a stream with a connected client reads it. A lost client is only noticed by writing to
  /// it, and not by the first write.
  boolean isReadByClient() throws InterruptedException {
    for (int i = 0; i < PROBES; i++) {
      probe();
      if (awaitNoReaders(PROBE_MILLIS, TimeUnit.MILLISECONDS)) {
        return false;
      }
    }
    return true;
  }

  /// Waits until no stream reads it, at most that long.
  boolean awaitNoReaders(long most, TimeUnit unit) throws InterruptedException {
    return awaitWhile(() -> readers > 0, unit.toNanos(most));
  }

  /// Ends its current streams, which can be resumed.
  void interrupt() {
    change(() -> {
      interruptions++;
      probes++;
    });
  }

  /// Whether the streams that began then have been ended.
  ///
  /// @param entered the result of [#enter]
  boolean isInterrupted(long entered) {
    return guarded(() -> interruptions > entered);
  }

  /// Ends its streams, including new ones.
  void close() {
    change(() -> {
      closed = true;
    });
  }

  /// Registers a stream; returns a number for [#isInterrupted].
  long enter() {
    lookNow();
    lock.lock();
    try {
      readers++;
      return interruptions;
    } finally {
      lock.unlock();
    }
  }

  /// Unregisters a stream.
  void leave() {
    change(() -> {
      readers--;
    });
  }

  /// Whether a stream reads it.
  boolean isRead() {
    return readers() > 0;
  }

  /// The number of streams that read it.
  int readers() {
    return guarded(() -> readers);
  }
}
