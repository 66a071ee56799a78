package dev.switchboard.execution;

import dev.switchboard.execution.ConversationStore.SettledCall;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.Ledger;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The state of a session's conversation, and what it writes to its store: the state, lines, and
/// the results and ends of calls. Without a store, the state is in this process.
///
/// Thread-safe.
final class SessionStore {
  private static final Duration REFUSED = Duration.ofMillis(250);

  private final @Nullable Journal journal; // null without a store
  private final Ledger<ConversationState> state;
  private final Backlog backlog;
  private final EventSink events;

  SessionStore(
      @Nullable Journal journal, Ledger<ConversationState> state, Time time, EventSink events) {
    this.journal = journal;
    this.state = state;
    this.events = events;
    backlog = new Backlog(journal == null ? null : journal.store(), time);
  }

  /// The state of the conversation.
  Ledger<ConversationState> state() {
    return state;
  }

  /// Writes a line of the conversation.
  ///
  /// @param mayWait whether it may wait for the next write
  /// @throws ConversationConflictException if another process continues the conversation
  void append(ConversationStore.Line line, boolean mayWait) {
    if (journal != null && mayWait && !journal.store().gathers()) {
      journal.defer(line);
    } else if (journal != null) {
      journal.write(line, Set.of(), () -> {});
    }
  }

  /// Does work together with a line, in one write.
  ///
  /// @param keys the keys of the events that the work logs
  /// @throws ConversationConflictException if another process continues the conversation
  void write(ConversationStore.Line line, Set<String> keys, Runnable work) {
    if (journal == null) {
      work.run();
    } else {
      journal.write(line, keys, work);
    }
  }

  /// Writes the waiting writes, as far as that takes no time.
  void catchUp() {
    boolean unused = backlog.flush(Backlog.AT_ONCE);
  }

  /// Writes the waiting writes, as far as that takes no time; returns the refusal of the call if
  /// too many results still wait, otherwise null.
  @Nullable ToolResult refusal(ToolCall call) {
    catchUp();
    return backlog.full() ? Refusal.storeAway(call, backlog.results()) : null;
  }

  /// Stores the result of a call that did not run, if that takes little time.
  ///
  /// @param entry its log entry
  void settled(CallLog.LoggedCall entry, ToolResult result, int turn) {
    within(
        REFUSED,
        () -> {
          settle(entry, result, turn, () -> {});
          return result;
        });
  }

  /// Stores the result of a call and its end in one write, as soon as the store accepts it.
  ///
  /// @param entry its log entry
  /// @param end writes its end
  void settle(CallLog.LoggedCall entry, ToolResult result, int turn, Runnable end) {
    Journal kept = journal;
    if (kept == null) {
      end.run();
      return;
    }
    kept.defer(new ConversationStore.CallOfTurn(turn, new SettledCall(entry.call(), result)));
    end.run();
    if (!backlog.write(new Backlog.Write("a result", 1 + CallLog.size(entry), kept::flush))) {
      boolean unused = events.show(() -> Backlog.notStored(entry.call()));
    }
  }

  /// Writes the waiting lines.
  void lines() {
    if (journal != null) {
      journal.flushLines();
    }
  }

  /// Makes the store write all of the conversation, before a write that other conversations see.
  void writeGathered(String conversation) {
    backlog.writeGathered(conversation);
  }

  /// Does a write after the waiting ones, and before any later one.
  void write(String what, Runnable work) {
    boolean unused = backlog.write(new Backlog.Write(what, 0, work));
  }

  /// Does work that waits for the store at most so long; returns its value.
  <T extends @Nullable Object> T within(Duration patience, Supplier<T> work) {
    return backlog.within(patience, work);
  }

  /// Whether that is a failure of the store that may soon be over.
  boolean mayPass(Throwable thrown) {
    return journal != null && thrown instanceof StoreException fault && fault.mayPass();
  }

  /// The number of results that wait to be stored.
  int unstored() {
    return backlog.results();
  }

  /// Writes the waiting writes.
  ///
  /// @throws IllegalStateException if results could not be stored
  void close(String conversation) {
    backlog.close(conversation);
  }
}
