package dev.switchboard.execution;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.json.Json;
import dev.switchboard.state.AgentState;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.Position;
import dev.switchboard.state.Selection;
import dev.switchboard.text.PrincipalName;
import dev.switchboard.text.Thrown;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A store of an agent's conversations, so that they survive their process and can be answered from
/// others.
///
/// Implementations are safe for several threads and processes; they throw an unchecked exception if
/// they cannot read or write, and [UnsupportedOperationException] for what they do not support.
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
  default List<Event.Logged> tell(String conversation, long fence, List<Event.Logged> events) {
    return write(conversation, fence, Writing.of(events)).told();
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

  /// The unanswered requests of all conversations, in the order of expiry, including expired ones
  /// that are not closed.
  default List<ConsentRequest> waiting() {
    return waiting(new Selection(null, null, Integer.MAX_VALUE));
  }

  /// The selected ones of these requests.
  List<ConsentRequest> waiting(Selection selection);

  /// Creates a conversation of a principal; false, without effect, if the id exists.
  default boolean create(String conversation, Header header) {
    throw new UnsupportedOperationException("this store does not keep whose conversations are");
  }

  /// That id, unless the principal's key stands for another one since that moment.
  default String keyed(String principal, String key, String conversation, Instant since) {
    return conversation;
  }

  /// The selected conversations, the latest created first.
  default List<Summary> conversations(Selection selection) {
    Stream<Summary> selected = conversations().stream().filter(one -> one.isIn(selection));
    return selection.of(selected, Summary::position, Position.DESCENDING);
  }

  /// The conversation of that id, null if there is none.
  default @Nullable Summary conversation(String id) {
    return conversations().stream().filter(one -> one.id().equals(id)).findFirst().orElse(null);
  }

  /// The principals of these conversations, by id.
  default Map<String, String> principals(Set<String> ids) {
    return ids.stream()
        .flatMap(id -> Stream.ofNullable(conversation(id)))
        .collect(Collectors.toMap(Summary::id, known -> known.header().principal()));
  }

  /// The ids of conversations that are due at that moment, the longest due first, at most so many:
  /// a turn was interrupted, an answer is to be carried out, or a request has expired.
  default List<String> due(Instant moment, int most) {
    throw new UnsupportedOperationException("this store does not tell what is due");
  }

  /// All conversations of the agent, in no particular order.
  default List<Summary> conversations() {
    throw new UnsupportedOperationException("this store does not list its conversations");
  }

  /// Deletes all data of the conversation, or nothing; false if there is none.
  default boolean delete(String conversation) {
    throw new UnsupportedOperationException("this store does not delete conversations");
  }

  /// The queue of inputs for several processes, null if one process at a time serves the store.
  default @Nullable Queue queue() {
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
    Thrown.warn(log, what, thrown);
  }

  /// Whether it is a failure of this store that may be over soon: then nothing of what was to be
  /// stored has begun, and it is tried again instead of being given up. Not for any other
  /// exception.
  default boolean mayPass(Throwable thrown) {
    return false;
  }

  /// The clock of its times: the database's, if processes on several machines share it.
  default Time time() {
    return Time.SYSTEM;
  }

  @Override
  default void close() {}

  /// The part of a store that several processes share: waiting inputs and due conversations, each
  /// taken by one process. Times are of the store's clock.
  interface Queue {
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

    /// The waiting inputs of the conversation, in order. A processed one is removed with the write
    /// of the state that knows it.
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

    /// Passes on announcements of other processes, on a thread of the store, until it is closed.
    /// One may be lost, so a waiting process also polls.
    Listening listen(Consumer<Announcement> listener);

    /// A subscription to announcements.
    interface Listening extends AutoCloseable {
      @Override
      void close();
    }
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
  /// @param kept as [Queue#kept], of that state's turn; null if it has to be read
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
  ///   written to; null for whoever owns it, and [PrincipalName#LOCAL] where it begins
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

    /// A writing of whoever owns the conversation.
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
  /// @param told the written events with their numbers, in order
  record Written(Outcome outcome, List<Event.Logged> told) {
    static final Written NOTHING = new Written(Outcome.DONE, List.of());

    public Written {
      told = List.copyOf(told);
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

  /// A stored conversation.
  ///
  /// @param started when it was first stored; null if unknown
  /// @param last the time of its latest line, call or event; null if there is none
  /// @param waiting unanswered requests for consent, including expired ones
  /// @param running whether a process continues it, or one of several is to
  /// @param setAside whether its latest turn was ended since its process died too often
  record Summary(
      String id,
      @Nullable Instant started,
      @Nullable Instant last,
      int turns,
      int calls,
      int waiting,
      long events,
      Header header,
      boolean running,
      boolean setAside) {
    /// Its position in a list.
    public Position position() {
      return new Position(started == null ? Instant.EPOCH : started, id);
    }

    private boolean isIn(Selection selection) {
      return selection.isOf(header.principal())
          && switch (selection.activity()) {
            case ANY -> true;
            case RUNNING -> running;
            case WAITING -> waiting > 0;
          };
    }
  }

  /// A host's data of a conversation that it creates.
  ///
  /// @param tenant the principal's organisation, null for none
  /// @param agentVersion the agent's version, null if it has none
  /// @param metadata the client's own, an object
  record Header(
      String principal, @Nullable String tenant, @Nullable String agentVersion, Json metadata) {
    /// Of a conversation of [PrincipalName#LOCAL].
    public static final Header NONE = Header.of(PrincipalName.LOCAL);

    /// Data of a conversation of that principal.
    public static Header of(String principal) {
      return new Header(principal, null, null, Json.EMPTY_OBJECT);
    }
  }

  /// A call and its one result.
  record SettledCall(ToolCall call, ToolResult result) {}
}
