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

/// What is remembered of a session, and what it writes to a store: its state, the lines of its
/// conversation, the results and the ends of its calls. Where the conversation is in this process
/// alone, only what the agent counts is stored.
///
/// Safe for use by several threads.
final class SessionStore {
  private static final Duration REFUSED = Duration.ofMillis(250);

  private final @Nullable Journal journal; // where the conversation is kept
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

  /// What is remembered of the conversation.
  Ledger<ConversationState> state() {
    return state;
  }

  /// Writes a line of the conversation; it may wait for what is written next.
  ///
  /// @throws ConversationConflictException when another process continues the conversation
  void append(ConversationStore.Line line, boolean mayWait) {
    if (journal != null && mayWait && !journal.store().gathers()) {
      journal.defer(line);
    } else if (journal != null) {
      journal.write(line, Set.of(), () -> {});
    }
  }

  /// Does something that begins with a line and with events, all at once.
  ///
  /// @param events the keys of the events that are written with it
  /// @throws ConversationConflictException when another process continues the conversation
  void write(ConversationStore.Line line, Set<String> events, Runnable work) {
    if (journal == null) {
      work.run();
    } else {
      journal.write(line, events, work);
    }
  }

  /// Stores what waits to be stored, as far as that takes no time.
  void catchUp() {
    boolean unused = backlog.flush(Backlog.AT_ONCE);
  }

  /// Stores what waits to be stored, as far as that takes no time; why no further call may run
  /// then, since too many results wait, or null.
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

  /// Stores the lines that may wait no longer.
  void lines() {
    if (journal != null) {
      journal.flushLines();
    }
  }

  /// Stores all that was written, before something is written that other conversations see.
  void writeGathered(String conversation) {
    backlog.writeGathered(conversation);
  }

  /// Stores something once the results before it are, and before anything after it.
  void write(String what, Runnable work) {
    boolean unused = backlog.write(new Backlog.Write(what, 0, work));
  }

  /// What the work comes to, which waits for the store no longer than that.
  <T extends @Nullable Object> T within(Duration patience, Supplier<T> work) {
    return backlog.within(patience, work);
  }

  /// Whether it is a failure of the store that may be over soon.
  boolean mayPass(Throwable thrown) {
    return journal != null && thrown instanceof StoreException fault && fault.mayPass();
  }

  /// How many results wait to be stored, since the store did not take them.
  int unstored() {
    return backlog.results();
  }

  /// Stores what waits to be stored.
  ///
  /// @throws IllegalStateException when results could not be stored
  void close(String conversation) {
    backlog.close(conversation);
  }
}
