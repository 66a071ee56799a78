package dev.switchboard.execution;

import dev.switchboard.execution.ConversationStore.CallOfTurn;
import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.execution.ConversationStore.Loaded;
import dev.switchboard.execution.ConversationStore.Outcome;
import dev.switchboard.execution.ConversationStore.Replacement;
import dev.switchboard.execution.ConversationStore.Writing;
import dev.switchboard.execution.ConversationStore.Written;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.tool.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What this process writes of a conversation, one thing after the other. Lines and results may be
/// put aside: they are written with whatever is written next, be it the state or an event, so
/// nothing is there before them. Events that wait to be written go with it too.
///
/// Safe for use by several threads.
final class Journal implements Cell<ConversationState> {
  private final String conversation;
  private final String principal;
  private final ConversationStore store;
  private final Supplier<ConversationLease> lease;
  // Held while something is written, so that no one takes it for written.
  private final ReentrantLock writing = new ReentrantLock();
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Line> lines = new ArrayList<>(); // put aside; guarded by lock
  private final List<CallOfTurn> calls = new ArrayList<>(); // put aside; guarded by lock
  private volatile boolean waits; // whether anything is put aside
  private volatile boolean empty; // as of the latest load
  private volatile @Nullable Unwritten events; // that go with what is written

  /// Events that are not written yet, and can go with something else that is.
  interface Unwritten {
    /// Those that go with it, which nobody else writes until [#carried].
    List<Event.Logged> carry();

    /// Takes what has become of those events.
    ///
    /// @param told those that were written; null where nothing was
    void carried(List<Event.Logged> group, @Nullable List<Event.Logged> told);

    /// Forgets those of these keys, unless they are written.
    void takeBack(Set<String> keys);
  }

  /// @param principal whose conversation it is
  /// @param lease under which it is written, and which is lost when the store refuses that
  Journal(
      String conversation,
      String principal,
      ConversationStore store,
      Supplier<ConversationLease> lease) {
    this.conversation = conversation;
    this.principal = principal;
    this.store = store;
    this.lease = lease;
  }

  /// Has these events written with whatever else is.
  void carries(Unwritten events) {
    this.events = events;
  }

  ConversationStore store() {
    return store;
  }

  String conversation() {
    return conversation;
  }

  /// Puts a line aside.
  void putAside(Line line) {
    lock.lock();
    try {
      lines.add(line);
      waits = true;
    } finally {
      lock.unlock();
    }
  }

  /// Puts a result aside.
  void putAside(CallOfTurn call) {
    lock.lock();
    try {
      calls.add(call);
      waits = true;
    } finally {
      lock.unlock();
    }
  }

  /// Does something that may write the line along with it, and has it written then; where that
  /// fails, it is not, nor are the events that it told.
  ///
  /// @param told the keys of the events that it tells
  /// @throws ConversationConflictException when another process goes on with the conversation
  void write(Line line, Set<String> told, Runnable work) {
    putAside(line);
    boolean done = false;
    try {
      work.run();
      flush();
      done = true;
    } finally {
      if (!done) {
        takeBack(told); // first, since no event is there without its line
        takeBack(line);
      }
    }
  }

  private void takeBack(Set<String> told) {
    Unwritten waiting = events;
    if (waiting != null && !told.isEmpty()) {
      waiting.takeBack(told);
    }
  }

  private void takeBack(Line line) {
    writing.lock();
    lock.lock();
    try {
      boolean unused = lines.remove(line);
      waits = !lines.isEmpty() || !calls.isEmpty();
    } finally {
      lock.unlock();
      writing.unlock();
    }
  }

  /// Writes what was put aside.
  ///
  /// @throws ConversationConflictException when another process goes on with the conversation
  void flush() {
    if (waits) {
      Written unused = write(null, List.of());
    }
  }

  /// Writes what was put aside, where a line is among it.
  ///
  /// @throws ConversationConflictException when another process goes on with the conversation
  void flushLines() {
    boolean any;
    lock.lock();
    try {
      any = !lines.isEmpty();
    } finally {
      lock.unlock();
    }
    if (any) {
      flush();
    }
  }

  /// The events that were told, with their numbers.
  List<Event.Logged> tell(List<Event.Logged> events) {
    return write(null, events).told();
  }

  /// @throws ConversationNotFoundException when the conversation is another principal's
  @Override
  public Version<ConversationState> load() {
    Loaded loaded = store.load(conversation);
    ConversationNotFoundException.refuseOthers(conversation, loaded.principal(), principal);
    empty = !loaded.exists();
    return loaded.state();
  }

  /// Whether nothing was stored of the conversation when it was loaded last.
  boolean isEmpty() {
    return empty;
  }

  @Override
  public boolean replace(Version<ConversationState> expected, ConversationState next) {
    return write(new Replacement(expected, next), List.of()).outcome() == Outcome.DONE;
  }

  private Written write(@Nullable Replacement state, List<Event.Logged> events) {
    Unwritten carried = this.events;
    if (carried == null || !events.isEmpty() || !isMine(state) || (state == null && !waits)) {
      return writeWith(state, events);
    }
    List<Event.Logged> group = carried.carry();
    List<Event.Logged> told = null;
    try {
      Written written = writeWith(state, group);
      told = written.outcome() == Outcome.DONE ? written.told() : null;
      return written;
    } finally {
      if (!group.isEmpty()) {
        carried.carried(group, told);
      }
    }
  }

  /// Whether it goes on under the lease that events are written under; not where that is taken.
  private boolean isMine(@Nullable Replacement state) {
    long held = lease.get().fence();
    return held != 0 && (state == null || state.expected().value().lease().fence() == held);
  }

  private Written writeWith(@Nullable Replacement state, List<Event.Logged> events) {
    writing.lock();
    try {
      Writing all = withWaiting(state, events);
      if (all.isEmpty()) {
        return Written.NOTHING;
      }
      Written written = write(all);
      if (written.outcome() == Outcome.DONE) {
        forget(all);
      }
      return written;
    } finally {
      writing.unlock();
    }
  }

  private Written write(Writing all) {
    // A lease is taken by a state of its own, under none.
    boolean free = all.lines().isEmpty() && all.calls().isEmpty() && all.events().isEmpty();
    try {
      Written written = store.write(conversation, free ? 0 : lease.get().fence(), all);
      if (written.outcome() == Outcome.KNOWN) {
        throw new ConversationConflictException(conversation, null);
      }
      return written;
    } catch (ConversationConflictException e) {
      lease.get().lose();
      throw e;
    }
  }

  private Writing withWaiting(@Nullable Replacement state, List<Event.Logged> events) {
    lock.lock();
    try {
      return new Writing(principal, state, lines, calls, events);
    } finally {
      lock.unlock();
    }
  }

  private void forget(Writing written) {
    lock.lock();
    try {
      lines.subList(0, written.lines().size()).clear();
      calls.subList(0, written.calls().size()).clear();
      waits = !lines.isEmpty() || !calls.isEmpty();
    } finally {
      lock.unlock();
    }
  }
}
