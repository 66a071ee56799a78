package dev.switchboard.execution;

import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The log of a conversation's events. Each event is numbered when it is stored, then shown.
///
/// Events join other writes of the conversation, in the order in which they were appended. If there
/// is no other write within 5 ms, the log's thread, which is started only then, writes and shows
/// them. A caller of [#flush()] does that thread's work meanwhile. While one group of events is
/// written, the next one gathers. An event with a key is logged once, even if its turn runs again
/// after a crash. Thread-safe.
final class EventLog implements Journal.Unwritten {
  /// The number of events not yet stored and shown at which callers block.
  static final int MOST_WAITING = 1_000;

  /// A part of the log's work.
  private sealed interface Task {
    record Store(List<Event.Logged> group) implements Task {}

    record Show(List<Event.Logged> events) implements Task {}
  }

  private static final int GROUP = 64;
  // How long events wait for another write to join.
  private static final long MOMENT_NANOS = Duration.ofMillis(5).toNanos();

  private final Journal journal;
  private final Time time;
  private final EventWriter writer;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final EventThread thread; // guarded by lock
  private final WaitingEvents waiting; // guarded by lock
  private final List<Event.Logged> written = new ArrayList<>(); // not yet shown; guarded by lock
  private long due; // when the waiting events are written without another write; guarded by lock
  private long lastWrite; // the time of the latest write of events; guarded by lock
  private boolean flushing; // whether a caller waits until all are shown; guarded by lock
  private boolean storing; // whether the first waiting events are being written; guarded by lock
  private @Nullable Thread performer; // the thread that writes or shows events; guarded by lock

  /// @param receiver shows an event after it is stored
  EventLog(Journal journal, Time time, Consumer<Event.Logged> receiver) {
    this.journal = journal;
    this.time = time;
    writer = new EventWriter(journal, time, receiver);
    String name = "events-" + journal.conversation();
    thread = new EventThread(name, time, lock, this::work, this::isBehind);
    lastWrite = time.nanos() - MOMENT_NANOS;
    waiting = new WaitingEvents(time);
    journal.attach(this);
  }

  /// Sets the id of the input to which the following events belong.
  void run(String input) {
    lock.lock();
    try {
      waiting.run(input);
    } finally {
      lock.unlock();
    }
  }

  /// Appends an event under the key of its kind, if that has one.
  void append(Event event) {
    append(EventKey.of(event), event);
  }

  /// Appends an event, once per key, or unconditionally if the key is null.
  void append(@Nullable String key, Event event) {
    lock.lock();
    try {
      awaitRoom();
      waiting.add(key, event);
      added();
    } finally {
      lock.unlock();
    }
  }

  /// Begins or continues the reply of that key, which has that many events so far.
  void beginReply(String key, int pieces) {
    lock.lock();
    try {
      waiting.beginReply(key, pieces);
    } finally {
      lock.unlock();
    }
  }

  /// Appends a piece of the text of the reply of that key.
  void appendText(String key, String text) {
    lock.lock();
    try {
      awaitRoom();
      if (waiting.addText(key, text)) {
        added();
      }
    } finally {
      lock.unlock();
    }
  }

  private void awaitRoom() {
    while (waiting.size() + written.size() >= MOST_WAITING && !isPerforming()) {
      changed.awaitUninterruptibly();
    }
  }

  /// Schedules the write of an event that was just added.
  private void added() {
    boolean first = waiting.size() == 1;
    due = first ? nextDue() : due;
    if (waiting.size() == GROUP || first && due - time.nanos() <= 0) {
      thread.wake();
    } else {
      // In most turns other writes store all events before.
      thread.startAt(due);
    }
  }

  /// The time at which an event that is added now, as the first, is written without another write.
  /// Further text of a reply is rarely followed by a write to join, so it waits only until 5 ms
  /// after the latest write.
  private long nextDue() {
    long now = time.nanos();
    if (journal.store().gathers()) {
      return now;
    }
    long spaced = lastWrite + MOMENT_NANOS;
    if (!waiting.endsInFurtherText()) {
      return now + MOMENT_NANOS;
    }
    return spaced - now > 0 ? spaced : now;
  }

  private void work() {
    boolean done = false;
    try {
      for (Task task = awaitTask(); task != null; task = awaitTask()) {
        perform(task);
      }
      done = true;
    } finally {
      if (!done) {
        abort();
      }
    }
  }

  /// Waits for the next task of the log's thread; null if the thread is to end.
  private @Nullable Task awaitTask() {
    lock.lock();
    try {
      while (isBehind()) {
        long left = flushing || waiting.size() >= GROUP ? 0 : due - time.nanos();
        Task task = written.isEmpty() && left > 0 ? null : nextTask();
        if (task != null) {
          return task;
        }
        if (left > 0 && performer == null && !storing) {
          thread.suspendUntil(due);
          return null;
        }
        thread.await();
      }
      thread.stop();
      flushing = false;
      return null;
    } finally {
      lock.unlock();
    }
  }

  /// Whether any event is not yet stored and shown.
  private boolean isBehind() {
    return !waiting.isEmpty() || !written.isEmpty() || performer != null;
  }

  /// The next task of the current thread; null while another one writes or shows.
  private @Nullable Task nextTask() {
    if (performer != null) {
      return null;
    }
    if (!written.isEmpty()) {
      performer = Thread.currentThread();
      List<Event.Logged> events = List.copyOf(written);
      written.clear();
      changed.signalAll();
      return new Task.Show(events);
    }
    if (storing || waiting.isEmpty()) {
      return null;
    }
    List<Event.Logged> group = beginGroup();
    performer = Thread.currentThread();
    return new Task.Store(group);
  }

  /// The first waiting events, to be written now; they stay in [#waiting] until they are written.
  private List<Event.Logged> beginGroup() {
    storing = true;
    return waiting.first(GROUP);
  }

  private void perform(Task task) {
    boolean done = false;
    try {
      switch (task) {
        case Task.Store(List<Event.Logged> group) -> store(group);
        case Task.Show(List<Event.Logged> events) -> events.forEach(writer::show);
      }
      done = true;
    } finally {
      lock.lock();
      try {
        performer = null;
        storing &= done;
        signalChange();
      } finally {
        lock.unlock();
      }
    }
  }

  private void store(List<Event.Logged> group) {
    List<Event.Logged> logged = writer.store(group);
    completed(group, logged);
    if (logged == null) {
      writer.pause();
    }
  }

  /// Wakes the threads that wait for a change.
  private void signalChange() {
    changed.signalAll();
    thread.changed();
  }

  /// Drops all events after the log's thread has failed.
  private void abort() {
    lock.lock();
    try {
      waiting.clear();
      written.clear();
      storing = false;
      thread.stop();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Whether the current thread is writing or showing events; it must not wait for itself.
  boolean isPerforming() {
    lock.lock();
    try {
      return Thread.currentThread().equals(performer);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<Event.Logged> claim() {
    lock.lock();
    try {
      while (storing && !isPerforming()) {
        changed.awaitUninterruptibly();
      }
      return storing || waiting.isEmpty() ? List.of() : beginGroup();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void completed(List<Event.Logged> group, @Nullable List<Event.Logged> logged) {
    lock.lock();
    try {
      storing = false;
      if (logged != null) {
        lastWrite = time.nanos();
        waiting.remove(group.size());
        written.addAll(logged);
        writer.succeeded();
      }
      signalChange();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void discard(Set<String> keys) {
    lock.lock();
    try {
      while (storing && !isPerforming()) {
        changed.awaitUninterruptibly();
      }
      waiting.removeAll(keys);
      signalChange();
    } finally {
      lock.unlock();
    }
  }

  /// Waits until all events are stored and shown, or dropped; returns the first store error since
  /// the last call, or null.
  @Nullable RuntimeException flush() {
    awaitShown();
    return writer.takeDropCause();
  }

  /// Waits until all events are stored and shown, or dropped.
  void awaitShown() {
    lock.lock();
    try {
      if (isPerforming()) {
        return;
      }
      flushing = true;
      while (isBehind()) {
        // An interrupted thread cannot pause between attempts, so it leaves the work to the log's.
        Task task = Thread.currentThread().isInterrupted() ? null : nextTask();
        if (task == null) {
          thread.wake();
          changed.awaitUninterruptibly();
        } else {
          performUnlocked(task);
        }
      }
      flushing = false;
      thread.cancelStart();
    } finally {
      lock.unlock();
    }
  }

  private void performUnlocked(Task task) {
    lock.unlock();
    try {
      perform(task);
    } finally {
      lock.lock();
    }
  }

  /// Waits until at most one group of events is unstored, which joins the next write; returns as
  /// [#flush()].
  @Nullable RuntimeException gather() {
    lock.lock();
    try {
      while (waiting.size() > GROUP && !isPerforming()) {
        changed.awaitUninterruptibly();
      }
      return writer.takeDropCause();
    } finally {
      lock.unlock();
    }
  }

  /// The number of the stored event of that key, 0 if there is none.
  long numberOf(String key) {
    Event.Logged event = journal.store().event(journal.conversation(), key);
    return event == null ? 0 : event.number();
  }

  /// The stored events after that number, in order, at most `most`.
  List<Event.Logged> events(long after, int most) {
    return journal.store().events(journal.conversation(), after, most);
  }
}
