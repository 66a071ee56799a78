package dev.switchboard.execution;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.text.Thrown;
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

/// The log of a conversation's events: each gets its number as it is stored, and is shown after.
///
/// Events are written together with other writes of the conversation, in the order in which they
/// were appended. If nothing is written for 5 ms, a thread of the log writes and shows them; it is
/// started only then. A caller that waits until all are shown does that thread's work meanwhile.
/// While one group is written, the next one gathers. An event with a key is appended once, even if
/// a turn is run again after a crash. Thread-safe.
final class EventLog implements Journal.Unwritten {
  /// The number of unwritten events above which callers block.
  static final int MOST_WAITING = 1_000;

  private static final System.Logger LOG = System.getLogger(EventLog.class.getName());
  private static final int GROUP = 64;
  // How long events wait for another write that they can join.
  private static final long MOMENT_NANOS = Duration.ofMillis(5).toNanos();
  // Together some five seconds.
  private static final int ATTEMPTS = 10;
  private static final Duration PATIENCE = Duration.ofMillis(400);
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final Journal journal;
  private final Time time;
  private final Consumer<Event.Logged> shown;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Condition needed = lock.newCondition(); // for the log's thread
  private final WaitingEvents waiting; // guarded by lock
  private final List<Event.Logged> written = new ArrayList<>(); // to be shown; guarded by lock
  private long due; // when those that wait are written by themselves; guarded by lock
  private long wrote; // when some were; guarded by lock
  private boolean hurried; // whether somebody waits until they are; guarded by lock
  private boolean storing; // whether the first that wait are being written; guarded by lock
  private int failures; // to write them, one after the other; guarded by lock
  private boolean working; // whether there is a thread of the log's; guarded by lock
  private Time.Alarm start = Time.Alarm.NONE; // of that thread; guarded by lock
  private boolean blocked; // whether it cannot go on before others are done; guarded by lock
  private @Nullable Thread writer; // who writes or shows some now; guarded by lock
  private @Nullable RuntimeException lost; // why some were not stored; guarded by lock

  EventLog(Journal journal, Time time, Consumer<Event.Logged> shown) {
    this.journal = journal;
    this.time = time;
    this.shown = shown;
    wrote = time.nanos() - MOMENT_NANOS;
    waiting = new WaitingEvents(time);
    journal.carries(this);
  }

  /// Names the input that the events to come are of.
  void run(String input) {
    lock.lock();
    try {
      waiting.run(input);
    } finally {
      lock.unlock();
    }
  }

  /// Tells an event, under the key that follows from it, if one does.
  void tell(Event event) {
    tell(EventKey.of(event), event);
  }

  /// Tells an event under that key, null where it may be told again.
  void tell(@Nullable String key, Event event) {
    lock.lock();
    try {
      awaitRoom();
      waiting.add(key, event);
      added();
    } finally {
      lock.unlock();
    }
  }

  /// Tells more words of the reply of that key.
  void words(String key, String text) {
    lock.lock();
    try {
      awaitRoom();
      if (waiting.addWords(key, text)) {
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

  /// One more waits: it is written with what comes next, or by the log's thread.
  private void added() {
    boolean first = waiting.size() == 1;
    due = first ? nextDue() : due;
    if (waiting.size() == GROUP || first && due - time.nanos() <= 0) {
      awaken();
    } else if (!working && start.equals(Time.Alarm.NONE)) {
      // Most turns have written and shown all before.
      startWhenDue();
    }
  }

  private void startWhenDue() {
    start.cancel();
    Time.Alarm alarm = time.alarm(due, this::awakenBehind);
    start = working ? Time.Alarm.NONE : alarm; // it may have gone off at once
  }

  /// The log's thread has something to do at once.
  private void awaken() {
    if (working) {
      needed.signal();
    } else {
      working = true;
      Thread unused = Thread.ofVirtual().name("events-" + journal.conversation()).start(this::work);
    }
  }

  private void awakenBehind() {
    lock.lock();
    try {
      start = Time.Alarm.NONE;
      if (isBehind()) {
        awaken();
      }
    } finally {
      lock.unlock();
    }
  }

  /// The time at which an event that begins to wait now is written alone. Further words of a reply
  /// are rarely followed by other events, so they do not wait, unless others were written a moment
  /// ago.
  private long nextDue() {
    long now = time.nanos();
    if (journal.store().gathers()) {
      return now;
    }
    long apart = wrote + MOMENT_NANOS;
    if (!waiting.endsInFurtherWords()) {
      return now + MOMENT_NANOS;
    }
    return apart - now > 0 ? apart : now;
  }

  /// A part of the log's work.
  private sealed interface Task {
    record Store(List<Event.Logged> group) implements Task {}

    record Show(List<Event.Logged> told) implements Task {}
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
        giveUp();
      }
    }
  }

  private void perform(Task task) {
    boolean done = false;
    try {
      switch (task) {
        case Task.Store(List<Event.Logged> group) -> store(group);
        case Task.Show(List<Event.Logged> told) -> told.forEach(this::show);
      }
      done = true;
    } finally {
      lock.lock();
      try {
        writer = null;
        storing &= done;
        tellChanged();
      } finally {
        lock.unlock();
      }
    }
  }

  /// The log's thread is not woken from its wait for a moment: it shows then what others have
  /// written meanwhile.
  private void tellChanged() {
    changed.signalAll();
    if (blocked) {
      needed.signal();
    }
  }

  /// Where the log's thread ends though it is still needed.
  private void giveUp() {
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

  /// Whether this thread is writing or showing events; it must not wait for itself.
  boolean isWriter() {
    lock.lock();
    try {
      return Thread.currentThread().equals(writer);
    } finally {
      lock.unlock();
    }
  }

  /// What the log's thread does next, waited for; null where it is not needed any more.
  private @Nullable Task awaitTask() {
    lock.lock();
    try {
      while (isBehind()) {
        long left = hurried || waiting.size() >= GROUP ? 0 : due - time.nanos();
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
      hurried = false;
      return null;
    } finally {
      lock.unlock();
    }
  }

  /// Whether anything is not yet written and shown.
  private boolean isBehind() {
    return !waiting.isEmpty() || !written.isEmpty() || writer != null;
  }

  /// What this thread does next, null while others are at it.
  private @Nullable Task nextTask() {
    if (writer != null) {
      return null;
    }
    if (!written.isEmpty()) {
      writer = Thread.currentThread();
      List<Event.Logged> told = List.copyOf(written);
      written.clear();
      changed.signalAll();
      return new Task.Show(told);
    }
    if (storing || waiting.isEmpty()) {
      return null;
    }
    List<Event.Logged> group = first();
    writer = Thread.currentThread();
    return new Task.Store(group);
  }

  /// The first of those that wait, which stay among them until they are written.
  private List<Event.Logged> first() {
    storing = true;
    return waiting.first(GROUP);
  }

  @Override
  public List<Event.Logged> carry() {
    lock.lock();
    try {
      while (storing && !isWriter()) {
        changed.awaitUninterruptibly();
      }
      return storing || waiting.isEmpty() ? List.of() : first();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void carried(List<Event.Logged> group, @Nullable List<Event.Logged> told) {
    lock.lock();
    try {
      storing = false;
      if (told != null) {
        forget(group);
        written.addAll(told);
      }
      tellChanged();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void takeBack(Set<String> keys) {
    lock.lock();
    try {
      while (storing && !isWriter()) {
        changed.awaitUninterruptibly();
      }
      waiting.removeAll(keys);
      tellChanged();
    } finally {
      lock.unlock();
    }
  }

  private void forget(List<Event.Logged> group) {
    wrote = time.nanos();
    waiting.remove(group.size());
    failures = 0;
  }

  /// Writes events without other writes. They are dropped if the store does not accept them in
  /// time, or if another process has the conversation: it appends those with a key again.
  private void store(List<Event.Logged> group) {
    try {
      carried(group, journal.store().within(PATIENCE, () -> journal.tell(group)));
    } catch (ConversationConflictException lost) {
      LOG.log(Level.DEBUG, "another process tells the events of the conversation");
      carried(group, List.of());
    } catch (RuntimeException thrown) {
      if (isLast(thrown)) {
        journal.store().failed(LOG, "events could not be stored", thrown);
        carried(group, List.of());
      } else {
        carried(group, null);
        time.pause(new Time.Signal(), PAUSE);
      }
    }
  }

  /// Whether it has failed often enough.
  private boolean isLast(RuntimeException thrown) {
    lock.lock();
    try {
      failures++;
      boolean last = failures == ATTEMPTS;
      lost = last ? thrown : lost;
      return last;
    } finally {
      lock.unlock();
    }
  }

  private void show(Event.Logged told) {
    try {
      shown.accept(told);
    } catch (Throwable thrown) {
      // Also an Error: the turn has its outcome whatever the host does.
      Thrown.warn(LOG, Thrown.in(journal.conversation(), "an event could not be shown"), thrown);
    }
  }

  /// Waits until all events are stored and shown, or dropped; returns the first store error since
  /// the last call, or null.
  @Nullable RuntimeException flush() {
    lock.lock();
    try {
      awaitWritten();
      return takeLost();
    } finally {
      lock.unlock();
    }
  }

  private void awaitWritten() {
    if (isWriter()) {
      return;
    }
    hurried = true;
    while (isBehind()) {
      // The pauses of one that is interrupted are none.
      Task task = Thread.currentThread().isInterrupted() ? null : nextTask();
      if (task == null) {
        awaken();
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
    hurried = false;
    start.cancel();
    start = Time.Alarm.NONE;
  }

  /// Waits until all that was told is stored but for what goes with the next that is written; what
  /// the store has thrown, as [#flush()] says.
  @Nullable RuntimeException gather() {
    lock.lock();
    try {
      while (waiting.size() > GROUP && !isWriter()) {
        changed.awaitUninterruptibly();
      }
      return takeLost();
    } finally {
      lock.unlock();
    }
  }

  private @Nullable RuntimeException takeLost() {
    RuntimeException thrown = lost;
    lost = null;
    return thrown;
  }

  private ToldWords awaitTold(String key) {
    lock.lock();
    try {
      awaitWritten();
    } finally {
      lock.unlock();
    }
    return ToldWords.of(key, this::events);
  }

  /// Before a model is asked again whose process died: the words of that reply that were told are
  /// void.
  void restart(String key) {
    begin(key, awaitTold(key), true);
  }

  /// Tells what is missing of the words of a reply that was stored before its process died.
  void complete(String key, String text) {
    ToldWords told = awaitTold(key);
    boolean goesOn = text.startsWith(told.text());
    begin(key, told, !goesOn);
    String missing = goesOn ? text.substring(told.text().length()) : text;
    if (!missing.isEmpty()) {
      words(key, missing);
    }
  }

  /// The next words are of that reply, behind those that were told; these are void where it begins
  /// again.
  private void begin(String key, ToldWords told, boolean again) {
    lock.lock();
    try {
      waiting.reply(key, told.pieces());
      if (again && told.from() > 0) {
        Json payload = Json.of(Codec.object().put("from", told.from()));
        waiting.add(
            key + "/restart/" + told.from(), new Event.AgentEvent("reply_restarted", payload));
        added();
      }
    } finally {
      lock.unlock();
    }
  }

  /// The number of the event of that key, 0 where there is none.
  long numberOf(String key) {
    Event.Logged told = journal.store().event(journal.conversation(), key);
    return told == null ? 0 : told.number();
  }

  /// The events after that number, at most so many, in their order.
  List<Event.Logged> events(long after, int most) {
    return journal.store().events(journal.conversation(), after, most);
  }
}
