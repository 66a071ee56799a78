package dev.switchboard.execution;

import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.execution.ConversationStore.SettledCall;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The part of a store that several processes share: waiting inputs and due conversations, each
/// taken by one process. Times are of the store's clock.
public interface ConversationQueue {
  /// The most waiting inputs of a conversation.
  int MOST_WAITING = 100;

  /// Appends an input to the queue of the principal's conversation, which begins with it if there
  /// is none of that id; false, without effect, if its key waits.
  ///
  /// @throws ConversationNotFoundException when the conversation is another principal's
  /// @throws IllegalStateException when [#MOST_WAITING] wait
  boolean submit(String conversation, String principal, Line input);

  /// As [#submit], for an existing conversation: a deleted one is not created again.
  ///
  /// @throws ConversationNotFoundException when the principal has no such conversation
  boolean submitKnown(String conversation, String principal, Line input);

  /// The waiting inputs of the conversation, in order. A processed one is removed with the write of
  /// the state that knows it.
  List<Line> inputs(String conversation);

  /// The data of a conversation that this process has claimed, read at once.
  ///
  /// @param turn whose calls are read
  /// @param most lines, the latest
  Kept kept(String conversation, int turn, int most);

  /// Removes an input that was refused.
  void drop(String conversation, String input);

  /// Claims due conversations that no process holds, the longest due first.
  ///
  /// @param lines the number of latest lines read with each, if few are claimed; 0 for none
  List<Claim> claim(Duration hold, int most, int lines);

  /// Postpones due conversations that no process holds, the longest due first: the caller asks
  /// someone to continue them.
  List<String> postpone(Duration time, int most);

  /// The time until the first conversation is due, zero if one is; null for none.
  @Nullable Duration untilDue();

  /// Requests the end of the conversation's running turn, or of the one that a waiting input
  /// begins; without effect if there is none.
  void cancel(String conversation);

  /// Those of these conversations whose turn is to be cancelled.
  Set<String> cancelled(Collection<String> conversations);

  /// The status of these conversations, by id, as far as they exist.
  Map<String, Standing> standing(Collection<String> conversations);

  /// The number of due conversations that no process holds.
  int due();

  /// Passes on announcements of other processes, on a thread of the store, until it is closed. One
  /// may be lost, so a waiting process also polls.
  Listening listen(Consumer<Announcement> listener);

  /// A subscription to announcements.
  interface Listening extends AutoCloseable {
    @Override
    void close();
  }

  /// The status of a shared conversation.
  ///
  /// @param held whether a process continues it
  /// @param due whether one is to: an input or an answer waits, or something has expired
  record Standing(long events, boolean held, boolean due) {
    /// Whether a turn runs or is to run.
    public boolean isRunning() {
      return held || due;
    }
  }

  /// A conversation that a process has claimed.
  ///
  /// @param fence of its lease
  /// @param left whether a process that counts as dead held it
  /// @param cancelled whether the end of its turn was requested
  /// @param state after the claim
  /// @param kept as [#kept], of that state's turn; null if it has to be read
  record Claim(
      String conversation,
      String principal,
      long fence,
      boolean left,
      boolean cancelled,
      Cell.Version<ConversationState> state,
      @Nullable Kept kept) {
    /// This claim, with that data.
    public Claim with(Kept kept) {
      return new Claim(conversation, principal, fence, left, cancelled, state, kept);
    }
  }

  /// The data of a conversation beside its state.
  ///
  /// @param inputs as [#inputs]
  /// @param lines as [ConversationStore#lines]
  /// @param calls as [ConversationStore#settledCalls]
  record Kept(List<Line> inputs, List<Line> lines, List<SettledCall> calls) {
    public Kept {
      inputs = List.copyOf(inputs);
      lines = List.copyOf(lines);
      calls = List.copyOf(calls);
    }
  }

  /// A message to other processes about a conversation.
  record Announcement(Topic topic, String conversation) {
    /// The news.
    public enum Topic {
      /// It is due.
      DUE,
      /// It has new events.
      EVENTS,
      /// A person is asked in it, or has answered.
      ASKED,
      /// Its turn has ended or waits.
      RESTED,
      /// The end of its turn was requested.
      CANCEL
    }
  }
}
