package dev.switchboard.restate;

import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.state.AgentState;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.WaitingCall;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The store of a conversation during one of its turns on the engine. It reads from the storage and
/// buffers writes. The journal receives the buffer, until all of it is written to the storage at
/// once.
///
/// The storage is written at the beginning and the end of a turn, whose state names the holder of
/// the conversation; when something has to be stored before an effect; and for readers, a moment
/// after an event. Every write to the storage includes the whole buffer. Thread-safe.
final class TurnStore implements ConversationStore {
  private static final System.Logger LOG = System.getLogger(TurnStore.class.getName());
  private static final Duration LAG = Duration.ofMillis(100); // the delay of readers elsewhere
  private static final int MOST_HELD = 500_000; // characters
  private static final int MOST_LINES = 2_000;

  private final String conversation;
  private final String principal;
  private final ConversationStore storage;
  private final Time time;
  private final ReentrantLock lock = new ReentrantLock(); // guards all below
  private final SequencedMap<String, Line> lines = new LinkedHashMap<>(); // buffered
  private final SequencedMap<String, CallOfTurn> calls = new LinkedHashMap<>(); // buffered
  private final List<Event.Logged> events = new ArrayList<>(); // buffered
  private int linesInJournal; // of the buffered ones
  private int callsInJournal; // of the buffered ones
  private int writes; // of the buffer to the storage
  private Mark asked = new Mark(0, 0, 0, 0); // at the last call of owed()
  private int characters; // of lines and calls that are not in the journal
  private Cell.@Nullable Version<ConversationState> kept; // in the storage, as far as known
  private Cell.Version<ConversationState> latest = new Cell.Version<>(0, ConversationState.NEW);
  private @Nullable ConversationState inJournal; // the latest state there
  private long base; // of that
  private boolean stateIsNew; // the storage has an older one
  private boolean stateIsOwed; // the journal has an older one
  private String owner; // in the storage, or else the principal that began it here
  private boolean lost; // whether another process continues the conversation
  private Time.Alarm showing = Time.Alarm.NONE;

  /// The buffer and the version of the state, after that many writes to the storage.
  private record Mark(int writes, int lines, int calls, long state) {}

  TurnStore(String conversation, String principal, ConversationStore storage, Time time) {
    this.conversation = conversation;
    this.principal = principal;
    owner = principal;
    this.storage = storage;
    this.time = time;
  }

  /// Applies an entry of the journal, before anything is read.
  void replay(JournalEntry entry) {
    locked(() -> {
      entry.lines().forEach(line -> lines.put(line.key(), line));
      entry.calls().forEach(call -> calls.put(call.call().call().id(), call));
      if (entry.state() != null) {
        inJournal = entry.state();
        base = entry.base();
      }
      return entry;
    });
  }

  /// The writes since the last journal entry that are not in the storage.
  JournalEntry owed() {
    return locked(() -> {
      long version = known().number();
      asked = new Mark(writes, lines.size(), calls.size(), latest.number());
      return new JournalEntry(
          lines.values().stream().skip(linesInJournal).toList(),
          calls.values().stream().skip(callsInJournal).toList(),
          stateIsOwed ? latest.value() : null,
          version,
          null);
    });
  }

  /// Records that the journal has what [#owed()] returned.
  void paid() {
    locked(() -> {
      if (asked.writes == writes) {
        linesInJournal = asked.lines;
        callsInJournal = asked.calls;
        stateIsOwed &= asked.state != latest.number();
        characters = 0;
      }
      return asked;
    });
  }

  /// Stops all writes: another process continues the conversation.
  void abandon() {
    locked(() -> {
      lost = true;
      showing.cancel();
      return this;
    });
  }

  private <T extends @Nullable Object> T locked(Supplier<T> work) {
    lock.lock();
    try {
      return work.get();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void failed(System.Logger log, String what, Throwable thrown) {
    storage.failed(log, what, thrown);
  }

  @Override
  public boolean gathers() {
    return true;
  }

  @Override
  public Cell<ConversationState> state(String id) {
    return new Cell<>() {
      @Override
      public Version<ConversationState> load() {
        return locked(() -> lost ? storage.state(id).load() : loaded());
      }

      @Override
      public boolean replace(Version<ConversationState> expected, ConversationState next) {
        return write(id, 0, Writing.of(expected, next)).outcome() == Outcome.DONE;
      }
    };
  }

  @Override
  public Loaded load(String id) {
    return locked(() -> lost ? storage.load(id) : new Loaded(loaded(), owner));
  }

  private Cell.Version<ConversationState> loaded() {
    Cell.Version<ConversationState> unused = known();
    return latest;
  }

  /// The later of the states in the storage and the journal.
  private Cell.Version<ConversationState> known() {
    Cell.Version<ConversationState> known = kept;
    if (known == null) {
      Loaded stored = storage.load(conversation);
      known = stored.state();
      owner = stored.principal() == null ? principal : stored.principal();
      kept = known;
      stateIsNew = inJournal != null && known.number() <= base;
      latest = stateIsNew && inJournal != null ? known.next(inJournal) : known;
      if (!lines.isEmpty()) {
        storage.lines(conversation, MOST_LINES).forEach(line -> lines.remove(line.key()));
      }
      linesInJournal = lines.size();
      callsInJournal = calls.size();
    }
    return known;
  }

  @Override
  public Written write(String id, long fence, Writing writing) {
    lock.lock();
    try {
      Cell.Version<ConversationState> before = loaded();
      if (lost || writing.isLost(fence)) {
        throw new ConversationConflictException(conversation, null);
      }
      Replacement state = writing.state();
      if (state != null && state.expected().number() != before.number()) {
        return new Written(Outcome.STALE, List.of());
      }
      if (writing.lines().stream().anyMatch(line -> lines.containsKey(line.key()))) {
        return new Written(Outcome.KNOWN, List.of());
      }
      hold(writing);
      if (isDue(before.value()) && !stored()) {
        return new Written(Outcome.STALE, List.of());
      }
      return new Written(Outcome.DONE, List.of());
    } finally {
      lock.unlock();
    }
  }

  private void hold(Writing writing) {
    Replacement state = writing.state();
    if (state != null) {
      latest = latest.next(state.next());
      stateIsNew = true;
      stateIsOwed = true;
    }
    for (Line line : writing.lines()) {
      lines.put(line.key(), line);
      characters += line.entry().text().length();
    }
    for (CallOfTurn call : writing.calls()) {
      if (calls.putIfAbsent(call.call().call().id(), call) == null) {
        String text = call.call().result().text();
        characters += text == null ? 0 : text.length();
      }
    }
    events.addAll(writing.events());
    if (!writing.events().isEmpty() && showing.equals(Time.Alarm.NONE)) {
      showing =
          time.alarm(
              time.nanos() + LAG.toNanos(),
              () -> Thread.ofVirtual().name("show-" + conversation).start(this::show));
    }
  }

  /// Whether to write to the storage now: the holder of the conversation has changed, a call that
  /// may run only once has begun, or the buffer is too large for a journal entry.
  private boolean isDue(ConversationState before) {
    return !before.lease().equals(latest.value().lease())
        || !before.begun().containsAll(latest.value().begun())
        || characters > MOST_HELD;
  }

  private void show() {
    lock.lock();
    try {
      showing = Time.Alarm.NONE;
      if (!lost && !events.isEmpty()) {
        boolean unused = stored();
      }
    } catch (RuntimeException thrown) {
      // The buffer is included in the next write.
      LOG.log(Level.DEBUG, "events are shown later", thrown);
    } finally {
      lock.unlock();
    }
  }

  /// Writes the buffer to the storage; returns false if another process has changed the state
  /// before this one has taken the conversation.
  private boolean stored() {
    while (true) {
      Cell.Version<ConversationState> known = known();
      long fence = latest.value().lease().fence();
      boolean takes = known.value().lease().fence() != fence;
      Replacement state = stateIsNew ? new Replacement(known, latest.value()) : null;
      Writing all =
          new Writing(
              principal,
              state,
              List.copyOf(lines.values()),
              List.copyOf(calls.values()),
              List.copyOf(events));
      Outcome outcome = written(takes ? 0 : fence, all);
      if (outcome == Outcome.DONE) {
        kept = state == null ? known : known.next(latest.value());
        forgetHeld();
        return true;
      }
      if (outcome == Outcome.KNOWN || !adoptsAnswer(takes)) {
        return false;
      }
    }
  }

  private Outcome written(long fence, Writing all) {
    try {
      Outcome outcome = storage.write(conversation, fence, all).outcome();
      if (outcome == Outcome.KNOWN) {
        throw new ConversationConflictException(conversation, null);
      }
      return outcome;
    } catch (ConversationConflictException e) {
      lost = true;
      throw e;
    }
  }

  private void forgetHeld() {
    writes++;
    lines.clear();
    calls.clear();
    events.clear();
    linesInJournal = 0;
    callsInJournal = 0;
    characters = 0;
    stateIsNew = false;
    stateIsOwed = false;
    showing.cancel();
    showing = Time.Alarm.NONE;
  }

  /// Adopts an answer that was stored from outside, after the state was changed there.
  private boolean adoptsAnswer(boolean takes) {
    Cell.Version<ConversationState> found = storage.state(conversation).load();
    if (takes) {
      kept = null;
      return false;
    }
    ConversationState ours = latest.value();
    if (found.value().lease().fence() != ours.lease().fence()) {
      lost = true;
      throw new ConversationConflictException(conversation, null);
    }
    for (WaitingCall waiting : found.value().waiting()) {
      WaitingCall known = ours.waiting(waiting.request().id());
      if (waiting.isDecided()
          && waiting.answer() != null
          && known != null
          && known.isUnanswered()) {
        ours = ours.decided(waiting.request().id(), waiting.answer());
      }
    }
    kept = found;
    latest = latest.next(ours);
    return true;
  }

  @Override
  public Cell<AgentState> agent() {
    return storage.agent();
  }

  @Override
  public void writeGathered(String id) {
    locked(() -> !lost && stored());
  }

  @Override
  public @Nullable SettledCall settledCall(String id, String call) {
    CallOfTurn held = locked(() -> calls.get(call));
    return held == null ? storage.settledCall(id, call) : held.call();
  }

  @Override
  public List<SettledCall> settledCalls(String id, int turn) {
    List<SettledCall> stored = storage.settledCalls(id, turn);
    Set<String> ids = stored.stream().map(call -> call.call().id()).collect(Collectors.toSet());
    return locked(() ->
        Stream.concat(
                stored.stream(),
                calls.values().stream()
                    .filter(call -> call.turn() == turn)
                    .map(CallOfTurn::call)
                    .filter(call -> !ids.contains(call.call().id())))
            .toList());
  }

  @Override
  public List<Line> lines(String id, int most) {
    return locked(() -> {
      Cell.Version<ConversationState> unused = known();
      List<Line> all = new ArrayList<>(storage.lines(id, most));
      all.addAll(lines.values());
      return List.copyOf(all.subList(Math.max(0, all.size() - most), all.size()));
    });
  }

  @Override
  public List<Event.Logged> events(String id, long after, int most) {
    locked(() -> !lost && !events.isEmpty() && stored());
    return storage.events(id, after, most);
  }

  @Override
  public <T extends @Nullable Object> T within(Duration patience, Supplier<T> work) {
    return storage.within(patience, work);
  }
}
