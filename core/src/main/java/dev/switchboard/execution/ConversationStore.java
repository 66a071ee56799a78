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
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.Consumer;
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

  /// Writes what belongs together behind what the conversation has, all of it or nothing: so what
  /// was written before is there wherever this is.
  ///
  /// @param fence that of the lease under which it is written; 0 for none
  /// @throws ConversationConflictException when the conversation's lease has another, and nothing
  ///   is written
  Written write(String conversation, long fence, Writing writing);

  /// Keeps a settled call, as a line behind the conversation's others; without effect where one of
  /// that id is there.
  ///
  /// @param fence as in [#write]
  /// @throws ConversationConflictException as [#write]
  default void settled(String conversation, long fence, int turn, SettledCall call) {
    Written unused = write(conversation, fence, Writing.of(turn, call));
  }

  /// Writes a line behind the conversation's others; false, and nothing done, where one of that key
  /// is there.
  ///
  /// @param fence as in [#write]
  /// @throws ConversationConflictException as [#write]
  default boolean append(String conversation, long fence, Line line) {
    return write(conversation, fence, Writing.of(line)).outcome() == Outcome.DONE;
  }

  /// Writes events behind the conversation's others, numbered from 1 without gaps; without those
  /// whose key is there.
  ///
  /// @param fence as in [#write]
  /// @return those that were written, with their numbers, in their order
  /// @throws ConversationConflictException as [#write]
  default List<Event.Logged> tell(String conversation, long fence, List<Event.Logged> events) {
    return write(conversation, fence, Writing.of(events)).told();
  }

  /// The events of the conversation after that number, at most so many, in their order.
  List<Event.Logged> events(String conversation, long after, int most);

  /// The event of the conversation that was told under that key; null where there is none.
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

  /// The latest lines of the conversation, at most so many, in their order, without those of
  /// settled calls and of events.
  List<Line> lines(String conversation, int most);

  /// The requests of all conversations that nobody has answered, in the order they expire; also
  /// those that have expired and not been closed.
  List<ConsentRequest> waiting();

  /// Creates a conversation for someone; false, and nothing done, where something is kept of one of
  /// that id.
  ///
  /// @throws UnsupportedOperationException where the store cannot
  default boolean create(String conversation, Header header) {
    throw new UnsupportedOperationException("this store does not keep whose conversations are");
  }

  /// Conversations of those that something is kept of, the latest created first.
  ///
  /// @throws UnsupportedOperationException where the store cannot tell
  default List<Summary> conversations(Selection selection) {
    return selection.of(conversations());
  }

  /// The conversation of that id, null where nothing is kept of it.
  ///
  /// @throws UnsupportedOperationException where the store cannot tell
  default @Nullable Summary conversation(String id) {
    return conversations().stream().filter(one -> one.id().equals(id)).findFirst().orElse(null);
  }

  /// Whom those of these conversations belong to that belong to someone, by their ids.
  ///
  /// @throws UnsupportedOperationException where the store cannot tell
  default Map<String, String> principals(Set<String> ids) {
    Map<String, String> principals = new HashMap<>();
    for (String id : ids) {
      Summary known = conversation(id);
      if (known != null && known.header().principal() != null) {
        principals.put(id, known.header().principal());
      }
    }
    return principals;
  }

  /// The ids of conversations that have to be gone on with at that moment, the longest due first,
  /// at most so many: a turn was cut off, an answer is to be carried out, or a request has expired.
  ///
  /// @throws UnsupportedOperationException where the store cannot tell
  default List<String> due(Instant moment, int most) {
    throw new UnsupportedOperationException("this store does not tell what is due");
  }

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

  /// The inputs that wait for whichever of several processes takes them up, null where one process
  /// at a time serves the store.
  default @Nullable Queue queue() {
    return null;
  }

  /// Whether it gathers by itself what is written one after the other, or a write costs next to
  /// nothing, so that nothing needs to wait for what is written next.
  default boolean gathers() {
    return false;
  }

  /// Writes what it has gathered of the conversation, which has to be there before what comes next.
  default void writeGathered(String conversation) {}

  /// What the work comes to, which waits for this store no longer than that, in this thread; it
  /// throws what the store throws when it gives up.
  default <T extends @Nullable Object> T within(Duration patience, Supplier<T> work) {
    return work.get();
  }

  /// Lets go of what the store holds open, such as a file.
  @Override
  default void close() {}

  /// The side of a store that several processes share: inputs that wait, conversations that are
  /// due, each of which one process takes up. Moments are those of the store's own clock.
  interface Queue {
    /// How many inputs of a conversation may wait.
    int MOST_WAITING = 100;

    /// Keeps an input behind those of the conversation that wait; false, and nothing done, where
    /// one of its key waits.
    ///
    /// @throws IllegalStateException when [#MOST_WAITING] wait
    boolean submit(String conversation, Line input);

    /// As [#submit], in a conversation of which something is kept: one that was deleted meanwhile
    /// is not begun again.
    ///
    /// @throws NoSuchElementException where nothing is kept of it
    boolean submitKnown(String conversation, Line input);

    /// The inputs of the conversation that wait, in the order in which they were kept. One that the
    /// loop has taken goes with the write of the state that knows it.
    List<Line> inputs(String conversation);

    /// What is kept of a conversation that this process has claimed, read at once.
    ///
    /// @param turn whose calls are wanted
    /// @param most lines, the latest
    Kept kept(String conversation, int turn, int most);

    /// Lets go of an input that was refused.
    void drop(String conversation, String input);

    /// Takes hold of conversations that are due and that no process holds, the longest due first.
    ///
    /// @param lines how many of the latest lines of each are read with it where few are claimed; 0
    ///   has nothing read
    List<Claim> claim(Duration hold, int most, int lines);

    /// Has conversations that are due and that no process holds be due again after that time, the
    /// longest due first: whoever asks for them tells someone to go on with them.
    List<String> postpone(Duration time, int most);

    /// How long it is until the first conversation is due, zero where one is; null for none.
    @Nullable Duration untilDue();

    /// Asks for the end of the turn that runs in the conversation, or of the one that an input
    /// begins that waits; without effect where there is none.
    void cancel(String conversation);

    /// Which of these conversations have a turn whose end was asked for.
    Set<String> cancelled(Collection<String> conversations);

    /// How those of these conversations stand of which something is kept, by their ids.
    Map<String, Standing> standing(Collection<String> conversations);

    /// The conversations in which a turn runs, or is to.
    Set<String> running();

    /// How many conversations are due and held by no process.
    int due();

    /// Has the others' announcements told there, on a thread of the store's, until it is closed.
    /// One may be lost: whoever waits for it looks now and then.
    Listening listen(Consumer<Announcement> listener);

    /// An end of what is told.
    interface Listening extends AutoCloseable {
      @Override
      void close();
    }
  }

  /// How a conversation stands that several processes share, at one moment.
  ///
  /// @param events how many it has
  /// @param held whether a process goes on with it
  /// @param due whether one is to: inputs wait, or an answer, or something is over
  record Standing(long events, boolean held, boolean due) {
    /// Whether a turn runs in it, or is to.
    public boolean isRunning() {
      return held || due;
    }
  }

  /// A conversation that a process has taken hold of.
  ///
  /// @param fence under which it writes
  /// @param left whether it was held by a process that is taken for dead
  /// @param cancelled whether the end of its turn was asked for
  /// @param state that it has since
  /// @param kept as [Queue#kept], of the turn in that state; null where it is to be read
  record Claim(
      String conversation,
      long fence,
      boolean left,
      boolean cancelled,
      Cell.Version<ConversationState> state,
      @Nullable Kept kept) {
    /// This one, with which that was read.
    public Claim with(Kept kept) {
      return new Claim(conversation, fence, left, cancelled, state, kept);
    }
  }

  /// What is kept of a conversation beside its state.
  ///
  /// @param inputs as [Queue#inputs]
  /// @param lines as [#lines]
  /// @param calls as [#settledCalls]
  record Kept(List<Line> inputs, List<Line> lines, List<SettledCall> calls) {
    public Kept {
      inputs = List.copyOf(inputs);
      lines = List.copyOf(lines);
      calls = List.copyOf(calls);
    }
  }

  /// What one process tells the others.
  ///
  /// @param conversation that it is about
  record Announcement(Topic topic, String conversation) {
    /// What there is to see.
    public enum Topic {
      /// It is due.
      DUE,
      /// Events were told.
      EVENTS,
      /// A person is asked in it, or has answered; events tell what.
      ASKED,
      /// Its turn has come to rest.
      RESTED,
      /// The end of its turn was asked for.
      CANCEL
    }
  }

  /// A line of what was said and done in a conversation.
  ///
  /// @param key what it is of, such as `turn3/round1/model`, which no other line of the
  ///   conversation has
  record Line(String key, Json entry) {}

  /// What is written of a conversation together.
  ///
  /// @param state takes the place of the one that was known; null where that stays
  /// @param lines stand behind the others
  /// @param calls that were settled, without effect where one of their id is there
  /// @param events are told, without those whose key is there
  record Writing(
      @Nullable Replacement state,
      List<Line> lines,
      List<CallOfTurn> calls,
      List<Event.Logged> events) {
    public Writing {
      lines = List.copyOf(lines);
      calls = List.copyOf(calls);
      events = List.copyOf(events);
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

    /// Whether it is nothing.
    boolean isEmpty() {
      return state == null && lines.isEmpty() && calls.isEmpty() && events.isEmpty();
    }

    /// Whether it goes on from a state under another lease than that.
    public boolean isLost(long fence) {
      return fence != 0 && state != null && state.expected.value().lease().fence() != fence;
    }
  }

  /// A state and the version that it is to replace.
  record Replacement(Cell.Version<ConversationState> expected, ConversationState next) {}

  /// A settled call and the number of its turn.
  record CallOfTurn(int turn, SettledCall call) {}

  /// What became of something that was to be written.
  ///
  /// @param told the events that were written, with their numbers, in their order
  record Written(Outcome outcome, List<Event.Logged> told) {
    static final Written NOTHING = new Written(Outcome.DONE, List.of());

    public Written {
      told = List.copyOf(told);
    }
  }

  /// Whether something was written.
  enum Outcome {
    /// It was.
    DONE,
    /// Nothing was: the state is not the latest any more.
    STALE,
    /// Nothing was: a line of one of its keys is there.
    KNOWN
  }

  /// A conversation as it stands in the store.
  ///
  /// @param started when something was first kept of it; null where that is not known
  /// @param last when the latest of its lines, calls and events was; null where there is none
  /// @param turns that have begun
  /// @param calls that are settled
  /// @param waiting requests for consent that nobody has answered, those that have expired too
  /// @param events how many it has, so the number of the latest
  /// @param running whether a process goes on with it, or one of several that share it is to
  record Summary(
      String id,
      @Nullable Instant started,
      @Nullable Instant last,
      int turns,
      int calls,
      int waiting,
      long events,
      Header header,
      boolean running) {}

  /// What a host says of a conversation when it creates it.
  ///
  /// @param principal whom it belongs to, null for no one in particular
  /// @param tenant the principal's organisation, null for none
  /// @param agentVersion of the agent that it is held with, null where that has none
  /// @param metadata the client's own, an object
  record Header(
      @Nullable String principal,
      @Nullable String tenant,
      @Nullable String agentVersion,
      Json metadata) {
    /// Nothing is said.
    public static final Header NONE = new Header(null, null, null, Json.EMPTY_OBJECT);

    /// It belongs to that principal.
    public static Header of(String principal) {
      return new Header(principal, null, null, Json.EMPTY_OBJECT);
    }
  }

  /// Which conversations are asked for, the latest created first.
  ///
  /// @param principal whom they belong to, null for anyone
  /// @param before behind which they begin in that order, null for the first
  /// @param most how many
  record Selection(@Nullable String principal, @Nullable Position before, int most) {
    /// Those of a list.
    public List<Summary> of(List<Summary> all) {
      return all.stream()
          .filter(one -> principal == null || principal.equals(one.header().principal()))
          .filter(one -> before == null || Position.ORDER.compare(Position.of(one), before) > 0)
          .sorted(Comparator.comparing(Position::of, Position.ORDER))
          .limit(most)
          .toList();
    }
  }

  /// The place of a conversation in that order, which is as exact as a database keeps it, so that a
  /// page begins behind the last of the one before.
  ///
  /// @param started in whole milliseconds; the beginning of time where it is not known
  record Position(Instant started, String id) {
    public Position {
      started = started.truncatedTo(ChronoUnit.MILLIS);
    }

    /// The latest created first.
    public static final Comparator<Position> ORDER =
        Comparator.comparing(Position::started).thenComparing(Position::id).reversed();

    /// That of a conversation.
    public static Position of(Summary conversation) {
      Instant started = conversation.started();
      return new Position(started == null ? Instant.EPOCH : started, conversation.id());
    }
  }

  /// A call and its one result.
  record SettledCall(ToolCall call, ToolResult result) {}
}
