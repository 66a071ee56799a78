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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Writes a conversation to its store, one write at a time. Lines and results may be deferred: they
/// join the next write of state or events, so nothing later is stored before them. Events that wait
/// to be stored join it, too. A write that has failed may be stored all the same: lines that the
/// store has from it are not written again.
///
/// Thread-safe.
final class Journal implements Cell<ConversationState> {
  private final String conversation;
  private final String principal;
  private final ConversationStore store;
  private final Supplier<ConversationLease> lease;
  // Held during a write, so that what is being written is not taken for stored.
  private final ReentrantLock writing = new ReentrantLock();
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Line> lines = new ArrayList<>(); // deferred; guarded by lock
  private final List<CallOfTurn> calls = new ArrayList<>(); // deferred; guarded by lock
  private volatile boolean deferred; // whether any line or result is
  private volatile boolean empty; // whether the latest load found nothing
  private boolean unsure; // whether lines may be stored whose write has failed; guarded by writing
  private volatile @Nullable Unwritten events; // that join writes

  /// Events that are not written yet, and can join another write.
  interface Unwritten {
    /// The events that join a write; no other write contains them until [#completed].
    List<Event.Logged> claim();

    /// Ends the write of claimed events.
    ///
    /// @param logged the events as stored, with their numbers; null if the write failed
    void completed(List<Event.Logged> group, @Nullable List<Event.Logged> logged);

    /// Removes the events of these keys, unless they are written.
    void discard(Set<String> keys);
  }

  /// @param principal the owner of the conversation
  /// @param lease the lease of each write, which is lost if the store refuses one
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

  /// Sets the events that join each write.
  void attach(Unwritten events) {
    this.events = events;
  }

  ConversationStore store() {
    return store;
  }

  String conversation() {
    return conversation;
  }

  /// Adds a line to the next write.
  void defer(Line line) {
    lock.lock();
    try {
      lines.add(line);
      deferred = true;
    } finally {
      lock.unlock();
    }
  }

  /// Adds a result to the next write.
  void defer(CallOfTurn call) {
    lock.lock();
    try {
      calls.add(call);
      deferred = true;
    } finally {
      lock.unlock();
    }
  }

  /// Does work together with a line: the line joins the first write of the work, or is written
  /// after it. If that fails, neither the line nor the events of the work are stored later.
  ///
  /// @param keys the keys of the events that the work logs
  /// @throws ConversationConflictException if another process continues the conversation
  void write(Line line, Set<String> keys, Runnable work) {
    defer(line);
    boolean done = false;
    try {
      work.run();
      flush();
      done = true;
    } finally {
      if (!done) {
        discard(keys); // first, since no event is stored without its line
        discard(line);
      }
    }
  }

  private void discard(Set<String> keys) {
    Unwritten waiting = events;
    if (waiting != null && !keys.isEmpty()) {
      waiting.discard(keys);
    }
  }

  private void discard(Line line) {
    writing.lock();
    lock.lock();
    try {
      boolean unused = lines.remove(line);
      deferred = !lines.isEmpty() || !calls.isEmpty();
    } finally {
      lock.unlock();
      writing.unlock();
    }
  }

  /// Writes the deferred lines and results.
  ///
  /// @throws ConversationConflictException if another process continues the conversation
  void flush() {
    if (deferred) {
      Written unused = write(null, List.of());
    }
  }

  /// Writes the deferred lines and results if a line is among them.
  ///
  /// @throws ConversationConflictException if another process continues the conversation
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

  /// Writes events; returns them with their numbers.
  ///
  /// @throws ConversationConflictException if another process continues the conversation
  List<Event.Logged> append(List<Event.Logged> events) {
    return write(null, events).events();
  }

  /// @throws ConversationNotFoundException if the conversation is another principal's
  @Override
  public Version<ConversationState> load() {
    Loaded loaded = store.load(conversation);
    ConversationNotFoundException.refuseOthers(conversation, loaded.principal(), principal);
    empty = !loaded.exists();
    return loaded.state();
  }

  /// Whether nothing was stored of the conversation at the latest load.
  boolean isEmpty() {
    return empty;
  }

  @Override
  public boolean replace(Version<ConversationState> expected, ConversationState next) {
    return write(new Replacement(expected, next), List.of()).outcome() == Outcome.DONE;
  }

  private Written write(@Nullable Replacement state, List<Event.Logged> events) {
    Unwritten waiting = this.events;
    boolean nothing = state == null && !deferred;
    if (waiting == null || !events.isEmpty() || !isUnderLease(state) || nothing) {
      return writeWith(state, events);
    }
    List<Event.Logged> group = waiting.claim();
    List<Event.Logged> logged = null;
    try {
      Written written = writeWith(state, group);
      logged = written.outcome() == Outcome.DONE ? written.events() : null;
      return written;
    } finally {
      if (!group.isEmpty()) {
        waiting.completed(group, logged);
      }
    }
  }

  /// Whether a write is under this process's lease; not if it acquires that lease.
  private boolean isUnderLease(@Nullable Replacement state) {
    long held = lease.get().fence();
    return held != 0 && (state == null || state.expected().value().lease().fence() == held);
  }

  private Written writeWith(@Nullable Replacement state, List<Event.Logged> events) {
    writing.lock();
    try {
      Writing all = withDeferred(state, events);
      if (all.isEmpty()) {
        return Written.NOTHING;
      }
      Written written = write(all);
      return switch (written.outcome()) {
        case DONE -> {
          unsure = false;
          removeWritten(all);
          yield written;
        }
        case STALE -> written;
        // After a write that has failed, it may be a line of that write.
        case KNOWN -> {
          if (unsure && removeStored(all.lines())) {
            yield writeWith(state, events);
          }
          lease.get().markLost();
          throw new ConversationConflictException(conversation, null);
        }
      };
    } finally {
      writing.unlock();
    }
  }

  private Written write(Writing all) {
    // A write of the state alone may acquire the lease, so it is not under one.
    boolean stateOnly = all.lines().isEmpty() && all.calls().isEmpty() && all.events().isEmpty();
    try {
      return store.write(conversation, stateOnly ? 0 : lease.get().fence(), all);
    } catch (ConversationConflictException e) {
      lease.get().markLost();
      throw e;
    } catch (RuntimeException e) {
      unsure |= !all.lines().isEmpty();
      throw e;
    }
  }

  /// Removes the lines that are the latest of the store, with the same content; returns whether
  /// there was any.
  private boolean removeStored(List<Line> written) {
    Map<String, JsonNode> stored = new HashMap<>();
    store
        .lines(conversation, written.size())
        .forEach(line -> stored.put(line.key(), line.entry().tree()));
    lock.lock();
    try {
      return lines.removeIf(line -> line.entry().tree().equals(stored.get(line.key())));
    } finally {
      lock.unlock();
    }
  }

  private Writing withDeferred(@Nullable Replacement state, List<Event.Logged> events) {
    lock.lock();
    try {
      return new Writing(principal, state, lines, calls, events);
    } finally {
      lock.unlock();
    }
  }

  private void removeWritten(Writing written) {
    lock.lock();
    try {
      lines.subList(0, written.lines().size()).clear();
      calls.subList(0, written.calls().size()).clear();
      deferred = !lines.isEmpty() || !calls.isEmpty();
    } finally {
      lock.unlock();
    }
  }
}
