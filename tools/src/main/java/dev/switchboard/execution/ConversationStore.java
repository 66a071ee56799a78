package dev.switchboard.execution;

import dev.switchboard.json.Json;
import dev.switchboard.state.AgentState;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.text.ExceptionLog;
import dev.switchboard.text.PrincipalName;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A store of an agent's conversations, so that they survive their process and can be answered from
/// others: what a running conversation reads and writes.
///
/// Implementations are safe for several threads and processes. They throw a [StoreException], which
/// says whether another try may succeed, if they cannot read or write; a call is not repeated after
/// any other exception.
public interface ConversationStore extends AutoCloseable {
  /// The state of that conversation, [ConversationState#NEW] until one is stored.
  Cell<ConversationState> state(String conversation);

  /// The state of that conversation, whether anything is stored of it, and whose it is.
  Loaded load(String conversation);

  /// The agent's state over all its conversations, [AgentState#NEW] at first.
  Cell<AgentState> agent();

  /// The settled call of that id, or null.
  @Nullable SettledCall settledCall(String conversation, String id);

  /// The settled calls of that turn, in order.
  List<SettledCall> settledCalls(String conversation, int turn);

  /// Appends to the conversation, all or nothing: earlier writes are there wherever this one is.
  ///
  /// @param fence of the lease; 0 for none
  /// @throws ConversationConflictException when the conversation's lease has another fence; nothing
  ///   is written
  /// @throws ConversationNotFoundException when it belongs to another principal than the writing's;
  ///   nothing is written
  Written write(String conversation, long fence, Writing writing);

  /// Appends a settled call; without effect if its id exists.
  ///
  /// @param fence as in [#write]
  /// @throws ConversationConflictException as [#write]
  default void settled(String conversation, long fence, int turn, SettledCall call) {
    Written unused = write(conversation, fence, Writing.of(turn, call));
  }

  /// Appends a line; false, without effect, if its key exists.
  ///
  /// @param fence as in [#write]
  /// @throws ConversationConflictException as [#write]
  default boolean append(String conversation, long fence, Line line) {
    return write(conversation, fence, Writing.of(line)).outcome() == Outcome.DONE;
  }

  /// Appends events, numbered from 1 without gaps, except those whose key exists.
  ///
  /// @param fence as in [#write]
  /// @return the written ones with their numbers, in order
  /// @throws ConversationConflictException as [#write]
  default List<Event.Logged> appendEvents(
      String conversation, long fence, List<Event.Logged> events) {
    return write(conversation, fence, Writing.of(events)).events();
  }

  /// The events of the conversation after that number, at most so many, in order.
  List<Event.Logged> events(String conversation, long after, int most);

  /// The event of that key; null if there is none.
  default Event.@Nullable Logged event(String conversation, String key) {
    long after = 0;
    List<Event.Logged> page;
    do {
      page = events(conversation, after, 1_000);
      for (Event.Logged event : page) {
        if (key.equals(event.key())) {
          return event;
        }
        after = event.number();
      }
    } while (!page.isEmpty());
    return null;
  }

  /// The latest lines of the conversation, at most so many, in order, without settled calls and
  /// events.
  List<Line> lines(String conversation, int most);

  /// The list of the store's conversations.
  ///
  /// @throws UnsupportedOperationException when the store does not list them; then no server, phone
  ///   or command line can use it
  default ConversationDirectory directory() {
    throw new UnsupportedOperationException("this store does not list its conversations");
  }

  /// The queue of inputs for several processes, null if one process at a time serves the store.
  default @Nullable ConversationQueue queue() {
    return null;
  }

  /// Whether the store combines successive writes by itself, or a write costs almost nothing.
  default boolean gathers() {
    return false;
  }

  /// Writes what it has combined for the conversation.
  default void writeGathered(String conversation) {}

  /// The result of the work, which waits for this store at most so long, in this thread; throws the
  /// store's exception if it gives up.
  default <T extends @Nullable Object> T within(Duration patience, Supplier<T> work) {
    return work.get();
  }

  /// Logs that the store has failed. All conversations of a store may share the line.
  default void failed(System.Logger log, String what, Throwable thrown) {
    ExceptionLog.warn(log, what, thrown);
  }

  /// The clock of its times: the database's, if processes on several machines share it.
  default Time time() {
    return Time.SYSTEM;
  }

  @Override
  default void close() {}

  /// A conversation as it was loaded.
  ///
  /// @param principal whose it is; null if there is none
  record Loaded(Cell.Version<ConversationState> state, @Nullable String principal) {
    /// Whether anything is stored of it.
    public boolean exists() {
      return principal != null;
    }
  }

  /// A line of a conversation.
  ///
  /// @param key of the effect, such as `turn3/round1/model`, unique in the conversation
  record Line(String key, Json entry) {}

  /// Data of a conversation that is written together.
  ///
  /// @param principal who writes it: a conversation begins as the principal's, and another's is not
  ///   written to; null for the owner, and [PrincipalName#LOCAL] where it begins
  /// @param state replaces the known one; null for no change
  /// @param lines to append
  /// @param calls to append, unless their id exists
  /// @param events to append, unless their key exists
  record Writing(
      @Nullable String principal,
      @Nullable Replacement state,
      List<Line> lines,
      List<CallOfTurn> calls,
      List<Event.Logged> events) {
    public Writing {
      lines = List.copyOf(lines);
      calls = List.copyOf(calls);
      events = List.copyOf(events);
    }

    /// A writing of the conversation's owner.
    public Writing(
        @Nullable Replacement state,
        List<Line> lines,
        List<CallOfTurn> calls,
        List<Event.Logged> events) {
      this(null, state, lines, calls, events);
    }

    /// This writing by that principal.
    public Writing by(String name) {
      return new Writing(name, state, lines, calls, events);
    }

    /// Whose conversation begins with it.
    public String owner() {
      return principal == null ? PrincipalName.LOCAL : principal;
    }

    /// A state alone.
    public static Writing of(Cell.Version<ConversationState> expected, ConversationState next) {
      return new Writing(new Replacement(expected, next), List.of(), List.of(), List.of());
    }

    /// A line alone.
    public static Writing of(Line line) {
      return new Writing(null, List.of(line), List.of(), List.of());
    }

    /// A settled call alone.
    public static Writing of(int turn, SettledCall call) {
      return new Writing(null, List.of(), List.of(new CallOfTurn(turn, call)), List.of());
    }

    /// Events alone.
    public static Writing of(List<Event.Logged> events) {
      return new Writing(null, List.of(), List.of(), events);
    }

    /// Whether it is empty.
    boolean isEmpty() {
      return state == null && lines.isEmpty() && calls.isEmpty() && events.isEmpty();
    }

    /// Whether it continues a state of another lease.
    public boolean isLost(long fence) {
      return fence != 0 && state != null && state.expected.value().lease().fence() != fence;
    }
  }

  /// A state, and the version that it replaces.
  record Replacement(Cell.Version<ConversationState> expected, ConversationState next) {}

  /// A settled call and the number of its turn.
  record CallOfTurn(int turn, SettledCall call) {}

  /// The outcome of a write.
  ///
  /// @param events the written ones with their numbers, in order
  record Written(Outcome outcome, List<Event.Logged> events) {
    static final Written NOTHING = new Written(Outcome.DONE, List.of());

    public Written {
      events = List.copyOf(events);
    }
  }

  /// Whether something was written.
  enum Outcome {
    DONE,
    /// Nothing was written: the state is not the latest.
    STALE,
    /// Nothing was written: the key of a line exists.
    KNOWN
  }

  /// A call and its one result.
  record SettledCall(ToolCall call, ToolResult result) {}
}
