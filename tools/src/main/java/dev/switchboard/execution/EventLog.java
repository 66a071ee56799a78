package dev.switchboard.execution;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.text.ExceptionLog;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import java.lang.System.Logger.Level;
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

  private static final System.Logger LOG = System.getLogger(EventLog.class.getName());
  private static final int GROUP = 64;
  // How long events wait for another write to join.
  private static final long MOMENT_NANOS = Duration.ofMillis(5).toNanos();
  // About five seconds in all.
  private static final int ATTEMPTS = 10;
  private static final Duration PATIENCE = Duration.ofMillis(400);
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final Journal journal;
  private final Time time;
  private final Consumer<Event.Logged> receiver;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Condition needed = lock.newCondition(); // for the log's thread
  private final WaitingEvents waiting; // guarded by lock
  private final List<Event.Logged> written = new ArrayList<>(); // not yet shown; guarded by lock
  private long due; // when the waiting events are written without another write; guarded by lock
  private long lastWrite; // the time of the latest write of events; guarded by lock
  private boolean flushing; // whether a caller waits until all are shown; guarded by lock
  private boolean storing; // whether the first waiting events are being written; guarded by lock
  private int failures; // to write them, in a row; guarded by lock
  private boolean working; // whether the log's thread runs; guarded by lock
  private Time.Alarm start = Time.Alarm.NONE; // starts the log's thread; guarded by lock
  private boolean blocked; // whether the log's thread waits for another; guarded by lock
  private @Nullable Thread writer; // the thread that writes or shows events; guarded by lock
  private @Nullable RuntimeException dropCause; // why events were dropped; guarded by lock

  /// @param receiver shows an event after it is stored
  EventLog(Journal journal, Time time, Consumer<Event.Logged> receiver) {
    this.journal = journal;
    this.time = time;
    this.receiver = receiver;
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
    while (waiting.size() + written.size() >= MOST_WAITING && !isWriter()) {
      changed.awaitUninterruptibly();
    }
  }

  /// Schedules the write of an event that was just added.
  private void added() {
    boolean first = waiting.size() == 1;
    due = first ? nextDue() : due;
    if (waiting.size() == GROUP || first && due - time.nanos() <= 0) {
      wake();
    } else if (!working && start.equals(Time.Alarm.NONE)) {
      // In most turns other writes store all events before.
      startWhenDue();
    }
  }

  private void startWhenDue() {
    start.cancel();
    Time.Alarm alarm = time.alarm(due, this::wakeIfBehind);
    start = working ? Time.Alarm.NONE : alarm; // it may have gone off at once
  }

  /// Wakes the log's thread, or starts it.
  private void wake() {
    if (working) {
      needed.signal();
    } else {
      working = true;
      Thread unused = Thread.ofVirtual().name("events-" + journal.conversation()).start(this::work);
    }
  }

  private void wakeIfBehind() {
    lock.lock();
    try {
      start = Time.Alarm.NONE;
      if (isBehind()) {
        wake();
      }
    } finally {
      lock.unlock();
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

  /// A part of the log's work.
  private sealed interface Task {
    record Store(List<Event.Logged> group) implements Task {}

    record Show(List<Event.Logged> events) implements Task {}
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

  private void perform(Task task) {
    boolean done = false;
    try {
      switch (task) {
        case Task.Store(List<Event.Logged> group) -> store(group);
        case Task.Show(List<Event.Logged> events) -> events.forEach(this::show);
      }
      done = true;
    } finally {
      lock.lock();
      try {
        writer = null;
        storing &= done;
        signalChange();
      } finally {
        lock.unlock();
      }
    }
  }

  /// Wakes the threads that wait for a change, and the log's if it waits for another.
  private void signalChange() {
    changed.signalAll();
    if (blocked) {
      needed.signal();
    }
  }

  /// Drops all events after the log's thread has failed.
  private void abort() {
    lock.lock();
    try {
      waiting.clear();
      written.clear();
      storing = false;
      working = false;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Whether the current thread is writing or showing events; it must not wait for itself.
  boolean isWriter() {
    lock.lock();
    try {
      return Thread.currentThread().equals(writer);
    } finally {
      lock.unlock();
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
        if (left > 0 && writer == null && !storing) {
          working = false;
          startWhenDue();
          return null;
        }
        blocked = true;
        needed.awaitUninterruptibly();
        blocked = false;
      }
      working = false;
      flushing = false;
      return null;
    } finally {
      lock.unlock();
    }
  }

  /// Whether any event is not yet stored and shown.
  private boolean isBehind() {
    return !waiting.isEmpty() || !written.isEmpty() || writer != null;
  }

  /// The next task of the current thread; null while another one writes or shows.
  private @Nullable Task nextTask() {
    if (writer != null) {
      return null;
    }
    if (!written.isEmpty()) {
      writer = Thread.currentThread();
      List<Event.Logged> events = List.copyOf(written);
      written.clear();
      changed.signalAll();
      return new Task.Show(events);
    }
    if (storing || waiting.isEmpty()) {
      return null;
    }
    List<Event.Logged> group = beginGroup();
    writer = Thread.currentThread();
    return new Task.Store(group);
  }

  /// The first waiting events, to be written now; they stay in [#waiting] until they are written.
  private List<Event.Logged> beginGroup() {
    storing = true;
    return waiting.first(GROUP);
  }

  @Override
  public List<Event.Logged> claim() {
    lock.lock();
    try {
      while (storing && !isWriter()) {
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
        removeWritten(group);
        written.addAll(logged);
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
      while (storing && !isWriter()) {
        changed.awaitUninterruptibly();
      }
      waiting.removeAll(keys);
      signalChange();
    } finally {
      lock.unlock();
    }
  }

  private void removeWritten(List<Event.Logged> group) {
    lastWrite = time.nanos();
    waiting.remove(group.size());
    failures = 0;
  }

  /// Writes events without another write. Drops them if the store fails too often, or if another
  /// process continues the conversation: that one logs again those that have a key.
  private void store(List<Event.Logged> group) {
    try {
      completed(group, journal.store().within(PATIENCE, () -> journal.append(group)));
    } catch (ConversationConflictException lost) {
      LOG.log(Level.DEBUG, "another process tells the events of the conversation");
      completed(group, List.of());
    } catch (RuntimeException thrown) {
      if (countFailure(thrown)) {
        journal.store().failed(LOG, "events could not be stored", thrown);
        completed(group, List.of());
      } else {
        completed(group, null);
        time.pause(new Time.Signal(), PAUSE);
      }
    }
  }

  /// Counts a failed write; whether it was the last attempt.
  private boolean countFailure(RuntimeException thrown) {
    lock.lock();
    try {
      failures++;
      boolean last = failures == ATTEMPTS;
      dropCause = last ? thrown : dropCause;
      return last;
    } finally {
      lock.unlock();
    }
  }

  private void show(Event.Logged event) {
    try {
      receiver.accept(event);
    } catch (Throwable thrown) {
      // Also an Error: the turn has its outcome whatever the host does.
      ExceptionLog.warn(
          LOG, ExceptionLog.in(journal.conversation(), "an event could not be shown"), thrown);
    }
  }

  /// Waits until all events are stored and shown, or dropped; returns the first store error since
  /// the last call, or null.
  @Nullable RuntimeException flush() {
    lock.lock();
    try {
      awaitShown();
      return takeDropCause();
    } finally {
      lock.unlock();
    }
  }

  private void awaitShown() {
    if (isWriter()) {
      return;
    }
    flushing = true;
    while (isBehind()) {
      // An interrupted thread cannot pause between attempts, so it leaves the work to the log's.
      Task task = Thread.currentThread().isInterrupted() ? null : nextTask();
      if (task == null) {
        wake();
        changed.awaitUninterruptibly();
      } else {
        lock.unlock();
        try {
          perform(task);
        } finally {
          lock.lock();
        }
      }
    }
    flushing = false;
    start.cancel();
    start = Time.Alarm.NONE;
  }

  /// Waits until at most one group of events is unstored, which joins the next write; returns as
  /// [#flush()].
  @Nullable RuntimeException gather() {
    lock.lock();
    try {
      while (waiting.size() > GROUP && !isWriter()) {
        changed.awaitUninterruptibly();
      }
      return takeDropCause();
    } finally {
      lock.unlock();
    }
  }

  private @Nullable RuntimeException takeDropCause() {
    RuntimeException cause = dropCause;
    dropCause = null;
    return cause;
  }

  private LoggedText loggedText(String key) {
    lock.lock();
    try {
      awaitShown();
    } finally {
      lock.unlock();
    }
    return LoggedText.of(key, this::events);
  }

  /// Voids the text of a reply that a dead process logged, before the reply is requested again.
  void restart(String key) {
    beginReply(key, loggedText(key), true);
  }

  /// Logs the text of a stored reply that its dead process did not log.
  void complete(String key, String text) {
    LoggedText logged = loggedText(key);
    boolean continues = text.startsWith(logged.text());
    beginReply(key, logged, !continues);
    String missing = continues ? text.substring(logged.text().length()) : text;
    if (!missing.isEmpty()) {
      appendText(key, missing);
    }
  }

  /// Begins or continues a reply after its logged text, which is void if `restarts`.
  private void beginReply(String key, LoggedText logged, boolean restarts) {
    lock.lock();
    try {
      waiting.beginReply(key, logged.pieces());
      if (restarts && logged.from() > 0) {
        Json payload = Json.of(Codec.object().put("from", logged.from()));
        waiting.add(
            key + "/restart/" + logged.from(), new Event.AgentEvent("reply_restarted", payload));
        added();
      }
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
