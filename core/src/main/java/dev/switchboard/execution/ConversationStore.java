package dev.switchboard.execution;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.json.Json;
import dev.switchboard.state.AgentState;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Where an agent's conversations are kept, so that they survive their process and are answered
/// from others.
///
/// Implementations are safe for use by several threads and processes; they throw an unchecked
/// exception when something cannot be read or kept.
public interface ConversationStore extends AutoCloseable {
  /// The place of that conversation's state, [ConversationState#NEW] until something is kept there.
  Cell<ConversationState> state(String conversation);

  /// The place of the agent's state over all its conversations, [AgentState#NEW] at first.
  Cell<AgentState> agent();

  /// The call of that id that the conversation has settled, or null.
  @Nullable SettledCall settledCall(String conversation, String id);

  /// The calls that the conversation has settled in that turn, in their order.
  List<SettledCall> settledCalls(String conversation, int turn);

  /// Keeps a settled call, as a line behind the conversation's others; without effect where one of
  /// that id is there.
  ///
  /// @param fence as in [#append]
  /// @throws ConversationConflictException as [#append]
  void settled(String conversation, long fence, int turn, SettledCall call);

  /// Writes a line behind the conversation's others; false, and nothing done, where one of that key
  /// is there.
  ///
  /// @param fence that of the lease under which it is written; 0 for none
  /// @throws ConversationConflictException when the conversation's lease has another, and nothing
  ///   is written
  boolean append(String conversation, long fence, Line line);

  /// Writes events behind the conversation's others, numbered from 1 without gaps, all of them or
  /// none; without those whose key is there.
  ///
  /// @param fence as in [#append]
  /// @return those that were written, with their numbers, in their order
  /// @throws ConversationConflictException as [#append]
  List<Event.Logged> tell(String conversation, long fence, List<Event.Logged> events);

  /// The events of the conversation after that number, at most so many, in their order.
  List<Event.Logged> events(String conversation, long after, int most);

  /// The latest lines of the conversation, at most so many, in their order, without those of
  /// settled calls and of events.
  List<Line> lines(String conversation, int most);

  /// The requests of all conversations that nobody has answered, in the order they expire; also
  /// those that have expired and not been closed.
  List<ConsentRequest> waiting();

  /// The agent's conversations that something is kept of, in no particular order.
  ///
  /// @throws UnsupportedOperationException where the store cannot tell
  default List<Summary> conversations() {
    throw new UnsupportedOperationException("this store does not list its conversations");
  }

  /// Deletes all that is kept of the conversation, at once or not at all; false where nothing is.
  ///
  /// @throws UnsupportedOperationException where the store cannot
  default boolean delete(String conversation) {
    throw new UnsupportedOperationException("this store does not delete conversations");
  }

  /// What the work comes to, which waits for this store no longer than that, in this thread; it
  /// throws what the store throws when it gives up.
  default <T extends @Nullable Object> T within(Duration patience, Supplier<T> work) {
    return work.get();
  }

  /// Lets go of what the store holds open, such as a file.
  @Override
  default void close() {}

  /// A line of what was said and done in a conversation.
  ///
  /// @param key what it is of, such as `turn3/round1/model`, which no other line of the
  ///   conversation has
  record Line(String key, Json entry) {}

  /// A conversation as it stands in the store.
  ///
  /// @param started when the first of its lines and calls was kept; null where that is not known
  /// @param last when the latest was
  /// @param turns that have begun
  /// @param calls that are settled
  /// @param waiting requests for consent that nobody has answered, those that have expired too
  record Summary(
      String id,
      @Nullable Instant started,
      @Nullable Instant last,
      int turns,
      int calls,
      int waiting) {}

  /// A call and its one result.
  record SettledCall(ToolCall call, ToolResult result) {}
}
