package dev.switchboard.execution;

import dev.switchboard.consent.Approver;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationStore.SettledCall;
import dev.switchboard.json.Json;
import dev.switchboard.state.ConsentAnswer;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.Ledger;
import dev.switchboard.state.LoopState;
import dev.switchboard.text.UniqueId;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A conversation of the executor: who talks, which calls were made, where its events go, and
/// whether it is open.
///
/// Thread-safe; its events come one after the other.
public final class ToolSession implements AutoCloseable {
  private final SessionHost host;
  private final EventSink events;
  private final boolean heard; // whether its events are shown or stored
  private final CallLog log;
  private final boolean logged; // whether its calls are
  private final OpenWork open;
  private final ConversationLease lease;
  private final boolean stored; // whether it is kept beyond this process
  private final boolean empty; // whether it is, and nothing was when it was opened
  private final Time time;
  private final String mark;
  private volatile @Nullable String conversationId;
  private volatile @Nullable SessionStore store; // null while there is nothing to remember
  private volatile boolean turnIsDue;
  private volatile boolean callsAreTurns;

  /// The session of a single call: an id made on demand, nothing logged, and nobody who is shown
  /// events.
  private ToolSession() {
    host = SessionHost.NONE;
    events = EventSink.NONE;
    heard = false;
    log = CallLog.NONE;
    logged = false;
    open = OpenWork.NONE;
    lease = ConversationLease.UNNEEDED;
    stored = false;
    empty = false;
    time = Time.SYSTEM;
    mark = "";
  }

  /// The one way in which a conversation is opened, by every host.
  ToolSession(ToolSessionBuilder builder) {
    log = new CallLog();
    logged = true;
    open = new OpenWork();
    mark = builder.mark;
    host = builder.host();
    time = builder.time;
    stored = builder.store != null;
    if (builder.store == null) {
      builder.refuseReserved();
      empty = false;
      conversationId = builder.conversationId;
      lease = ConversationLease.UNNEEDED;
      events = builder.sink(null);
    } else {
      String id = builder.conversationId;
      conversationId = id;
      Journal journal = new Journal(id, host.principal(), builder.store, this::lease);
      Ledger<ConversationState> state = Ledger.of(journal);
      lease = new ConversationLease(id, state, builder.hold, time, open::cancelTurn);
      empty = journal.isEmpty();
      if (empty) {
        builder.refuseReserved();
      }
      log.restore(id, builder.store, empty ? null : state.value(), lease::isHeld);
      events = builder.sink(journal);
      store = new SessionStore(journal, state, time, events);
    }
    heard = events.isHeard();
  }

  /// A conversation of that id, without a receiver of events.
  public static ToolSession of(String conversationId) {
    return builder(conversationId).build();
  }

  /// A builder of a conversation of that id.
  public static ToolSessionBuilder builder(String conversationId) {
    return new ToolSessionBuilder(conversationId);
  }

  /// For a single call.
  static ToolSession alone() {
    return new ToolSession();
  }

  /// The idempotency key of the agent's call of that id.
  String idempotencyKey(String agent, String callId) {
    return IdempotencyKey.of(agent, mark + conversationId(), callId);
  }

  /// The id of the conversation or phone call.
  public String conversationId() {
    String id = conversationId;
    return id == null ? newId() : id;
  }

  private synchronized String newId() {
    String id = conversationId;
    if (id == null) {
      id = UniqueId.nextUuid();
      conversationId = id;
    }
    return id;
  }

  /// Whose conversation it is, such as the name of a token of the server; `local` by default.
  public String principal() {
    return host.principal();
  }

  /// The caller's number, null without a phone.
  public @Nullable String caller() {
    return host.caller();
  }

  /// The number that was called, null without a phone.
  public @Nullable String callee() {
    return host.callee();
  }

  /// The host's attributes, such as a tenant or a trace.
  public Map<String, String> attributes() {
    return host.attributes();
  }

  /// The approver for questions of handlers in this conversation, null for the executor's.
  @Nullable Approver approver() {
    return host.approver();
  }

  /// The tools of this conversation.
  ConversationTools tools() {
    return host.tools();
  }

  /// Ends the conversation: calls are cancelled where allowed, others finish, and no new one
  /// starts.
  public void cancel() {
    open.cancel();
  }

  /// Reports that the user has interrupted the agent: calls of tools that state this are cancelled;
  /// the turn continues.
  public void interrupted() {
    open.interruptByUser();
  }

  /// Whether the conversation or its turn was cancelled.
  public boolean cancelled() {
    return open.isCancelled();
  }

  /// Makes each call of the host a turn of its own, which the calls of its tool belong to.
  public void makeCallsTurns() {
    callsAreTurns = true;
  }

  /// Whether each call is a turn of its own.
  boolean callsAreTurns() {
    return callsAreTurns;
  }

  /// Begins a new turn: calls run again after a terminal result or the end of the loop, and counts
  /// of the turn begin at zero.
  ///
  /// @throws RuntimeException when the store fails; the turn begins with the first call for which
  ///   it does not
  public void nextTurn() {
    turnIsDue = true;
    forgetCancelledTurn();
    store().catchUp();
    beginDue();
  }

  /// Accepts calls again after [#cancelTurn()].
  public void forgetCancelledTurn() {
    open.nextTurn();
  }

  private void beginDue() {
    change(state -> new Ledger.Step<>(state.turn(state.turn() + 1), state));
    turnIsDue = false;
    log.nextTurn();
  }

  /// Writes a line of the conversation, if it is stored; false if it waits for the next write: a
  /// call, an event of the log, or the end of the turn.
  ///
  /// @param mayWait whether it may; not if events are shown without a log
  /// @throws ConversationConflictException when another process continues the conversation
  public boolean append(ConversationStore.Line line, boolean mayWait) {
    boolean waits = mayWait && events.isLogged();
    if (stored) {
      store().append(line, waits);
    }
    return !waits;
  }

  /// Begins the turn of that number with a line, in one write.
  ///
  /// @param by who acts for the principal in it, null for the principal
  /// @param told the events that are stored with them, by key
  /// @throws ConversationConflictException when another process continues the conversation
  public void beginTurn(
      int number, @Nullable String by, ConversationStore.Line line, Map<String, Event> told) {
    Runnable begin =
        () -> {
          told.forEach(events::tell);
          beginTurn(number, by);
        };
    if (stored) {
      store().write(line, told.keySet(), begin);
    } else {
      begin.run();
    }
  }

  /// Begins the turn of that number; without effect if it has begun, in any process.
  public void beginTurn(int number, @Nullable String by) {
    if (state().turn() < number) {
      // Also where the write fails: it may be stored all the same.
      log.nextTurn();
    }
    change(
        state -> new Ledger.Step<>(state.turn() < number ? state.turn(number, by) : state, number));
  }

  /// Ends the turn: calls are cancelled where allowed, others finish, and no new one starts before
  /// the next turn.
  public void cancelTurn() {
    open.cancelTurn();
  }

  /// Whether the turn accepts no more calls.
  public boolean exited() {
    return state().exit() != null;
  }

  /// The state of the conversation as known here; another process may have changed it.
  public ConversationState state() {
    SessionStore known = store;
    return known == null ? ConversationState.NEW : known.state().value();
  }

  /// Its stored data, read at the first use.
  SessionStore store() {
    SessionStore known = store;
    return known == null ? newStore() : known;
  }

  private synchronized SessionStore newStore() {
    SessionStore known = store;
    if (known == null) {
      known = new SessionStore(null, Ledger.inProcess(ConversationState.NEW), time, events);
      store = known;
    }
    return known;
  }

  /// The unanswered requests for consent.
  public List<ConsentRequest> waiting() {
    return state().unanswered();
  }

  /// Reads the state from the store, if there is one. A call that another process has settled gets
  /// its result here too, which is shown.
  public ConversationState refresh() {
    SessionStore known = store;
    ConversationState now = known == null ? ConversationState.NEW : known.state().refresh();
    takeUp(now);
    return now;
  }

  private void takeUp(ConversationState now) {
    log.takeUp(now).forEach(settled -> takenUp(now, settled));
  }

  private void takenUp(ConversationState now, SettledCall settled) {
    ConsentAnswer answer = now.answer(String.valueOf(settled.result().callId()));
    if (answer != null) {
      show(new Event.AgentEvent(ConsentAnswer.EVENT, answer.json()));
    }
    show(new Event.ToolSettled(settled.result(), settled.call().name()));
  }

  <R extends @Nullable Object> R change(
      Function<ConversationState, Ledger.Step<ConversationState, R>> step) {
    return store()
        .state()
        .change(state -> {
          lease.check(state);
          return step.apply(state);
        });
  }

  /// The lease of this process on the conversation.
  public ConversationLease lease() {
    return lease;
  }

  /// Takes the conversation for a turn, and reads what other processes have done.
  ///
  /// @param seen what this process knows of others' leases
  /// @throws ConversationConflictException when another process has it, or has continued it
  public void hold(ConversationLease.Seen seen) {
    log.askAgain();
    lease.take(seen);
    takeUp(state());
  }

  /// Stores the state of the loop at the end of a turn, and releases the conversation.
  ///
  /// @throws ConversationConflictException when the lease is lost
  public void keep(LoopState loop) {
    lease.end(store().state(), loop);
  }

  /// Stores the state of the loop at the end of a turn, and keeps the conversation.
  ///
  /// @throws ConversationConflictException when the lease is lost
  public void keepHolding(LoopState loop) {
    change(state -> new Ledger.Step<>(state.withLoop(loop), loop));
  }

  /// A call of the runtime, with an id that is equal if the turn runs again.
  ToolCall own(String tool, Json arguments) {
    return log.own(tool, arguments, state().turn());
  }

  /// Whether its calls are logged, so that one delivered twice runs once; false for a single call.
  boolean isLogged() {
    return logged;
  }

  /// Registers an arrived call, after what waits is stored, as far as that takes no time. It does
  /// not run if the store cannot say whether it ran before, or too many results wait to be stored.
  CallLog.Claim claim(ToolCall call) {
    try {
      SessionStore known = store;
      if (known != null) {
        known.catchUp();
      }
      if (callsAreTurns) {
        change(state -> new Ledger.Step<>(state.nextCall(), state));
      } else if (turnIsDue) {
        beginDue();
      }
      ToolResult refused = known == null ? null : known.refusal(call);
      return refused == null || log.settledCall(call.id()) != null
          ? log.claim(call, !callsAreTurns && exited())
          : CallLog.Claim.refused(call, refused);
    } catch (RuntimeException thrown) {
      return CallLog.Claim.refused(call, Broken.result(call, this, thrown));
    }
  }

  /// Registers a call that has waited for a person.
  CallLog.Claim claimAgain(ToolCall call) {
    return new CallLog.Claim(log.waiting(call), null, !callsAreTurns && exited());
  }

  /// The result of the call of that id, null if it has none.
  public @Nullable ToolResult result(String id) {
    SettledCall settled = settledCall(id);
    return settled == null ? null : settled.result();
  }

  /// The call of that id with its result, null if it has none.
  @Nullable SettledCall settledCall(String id) {
    return log.settledCall(id);
  }

  /// The calls of the runtime in this turn with their results, in order.
  public List<SettledCall> ownCalls() {
    return log.own();
  }

  /// How often in a row an equal call has succeeded in this turn with the same text.
  int repeats(ToolCall call) {
    return callsAreTurns ? 0 : log.repeats(call);
  }

  CallLog log() {
    return log;
  }

  /// Whether the conversation is stored.
  boolean isStored() {
    return stored;
  }

  /// Whether it is a stored conversation of which nothing was stored when it was opened.
  public boolean startsEmpty() {
    return empty;
  }

  /// Settles the call with its one result, which is stored, if that takes little time.
  ///
  /// @param entry its log entry
  /// @param ran the call as it ran, if it did
  void settle(CallLog.LoggedCall entry, ToolCall ran, ToolResult result) {
    if (log.settle(entry, ran, result) && stored) {
      store().settled(entry, result, state().turn());
    }
  }

  /// Settles the call with its one result, which is stored with its end, as soon as the store
  /// accepts it.
  ///
  /// @param entry its log entry
  /// @param ran the call as it ran
  /// @param end writes its end
  void keep(CallLog.LoggedCall entry, ToolCall ran, ToolResult result, Runnable end) {
    if (log.settle(entry, ran, result) && stored) {
      store().keep(entry, result, state().turn(), end);
    } else {
      end.run();
    }
  }

  /// Stores the lines that may wait no longer, since a handler is to begin. Results may wait, as
  /// long as they are few.
  public void storeLines() {
    if (stored) {
      store().lines();
    }
  }

  /// The number of results that wait to be stored.
  public int unstored() {
    SessionStore known = store;
    return known == null ? 0 : known.unstored();
  }

  /// Stores what waits. The conversation may be continued and closed again.
  ///
  /// @throws IllegalStateException when results could not be stored, which are lost when this
  ///   process ends
  @Override
  public void close() {
    SessionStore known = store;
    if (known != null) {
      known.close(conversationId());
    }
  }

  /// Does work that a cancel of the conversation or its turn cuts off.
  ///
  /// @param interrupt cuts it off, from any thread
  public <T extends @Nullable Object> T cancellable(Runnable interrupt, Supplier<T> work) {
    return open.cancellable(interrupt, work);
  }

  /// Its running work, which a cancel reaches.
  OpenWork open() {
    return open;
  }

  /// Whether its events are shown or stored.
  boolean isHeard() {
    return heard;
  }

  /// The receiver of its events.
  public EventSink events() {
    return events;
  }

  /// Shows an event of the host.
  public void show(Event event) {
    show(() -> event);
  }

  /// Shows an event, made when its turn comes, or null for none.
  void show(Supplier<? extends @Nullable Event> next) {
    boolean unused = events.show(next);
  }
}
