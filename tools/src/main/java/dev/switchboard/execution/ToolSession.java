package dev.switchboard.execution;

import dev.switchboard.consent.Approver;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationStore.SettledCall;
import dev.switchboard.execution.host.HostSession;
import dev.switchboard.state.ConsentAnswer;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.Ledger;
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

/// A conversation of the executor: its users, its calls and their results, its state, and the
/// receiver of its events.
///
/// Thread-safe. Its events are emitted one after the other.
public final class ToolSession implements AutoCloseable {
  // The state of sessions that nothing was stored of.
  private static final Ledger<ConversationState> UNUSED = Ledger.inProcess(ConversationState.NEW);

  private final SessionDetails details;
  private final EventSink events;
  private final boolean emits; // whether its events are shown or stored
  private final CallLog log;
  private final boolean logged; // whether its calls are logged
  private final OpenWork open;
  private final ConversationLease lease;
  private final boolean stored; // whether it has a store beyond this process
  private final boolean empty; // whether its store had nothing when it was opened
  private final Time time;
  private final String mark;
  private volatile @Nullable String conversationId;
  private volatile @Nullable SessionStore store; // null before its first use
  private volatile Ledger<ConversationState> state = UNUSED; // the store's
  private volatile boolean turnIsDue;
  private volatile boolean callsAreTurns;

  /// The session of a single call: an id made on demand, no log, no receiver of events.
  ToolSession() {
    details = SessionDetails.NONE;
    events = EventSink.NONE;
    emits = false;
    log = CallLog.NONE;
    logged = false;
    open = OpenWork.NONE;
    lease = ConversationLease.UNNEEDED;
    stored = false;
    empty = false;
    time = Time.SYSTEM;
    mark = "";
  }

  ToolSession(ToolSessionBuilder builder) {
    log = new CallLog();
    logged = true;
    open = new OpenWork();
    mark = builder.mark;
    details = builder.details();
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
      Journal journal = new Journal(id, details.principal(), builder.store, this::lease);
      state = Ledger.of(journal);
      lease = new ConversationLease(id, state, builder.hold, time, open::cancelTurn);
      empty = journal.isEmpty();
      if (empty) {
        builder.refuseReserved();
      }
      log.restore(id, builder.store, empty ? null : state.value(), lease::isHeld);
      events = builder.sink(journal);
      store = new SessionStore(journal, state, time, events);
    }
    emits = events.hasReceiver();
  }

  /// A conversation of that id, without a receiver of events.
  public static ToolSession of(String conversationId) {
    return builder(conversationId).build();
  }

  /// A builder of a conversation of that id.
  public static ToolSessionBuilder builder(String conversationId) {
    return new ToolSessionBuilder(conversationId);
  }

  /// The idempotency key of the call of that id by that agent.
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

  /// The owner of the conversation, such as the name of a server's token; `local` by default.
  public String principal() {
    return details.principal();
  }

  /// The caller's phone number, null if this is not a phone call.
  public @Nullable String caller() {
    return details.caller();
  }

  /// The called phone number, null if this is not a phone call.
  public @Nullable String callee() {
    return details.callee();
  }

  /// The host's attributes, such as a tenant or a trace.
  public Map<String, String> attributes() {
    return details.attributes();
  }

  /// The approver for questions of handlers, null for the executor's.
  @Nullable Approver approver() {
    return details.approver();
  }

  /// The tools of this conversation alone.
  ConversationTools tools() {
    return details.tools();
  }

  /// Ends the conversation: calls that allow it are cancelled, others finish, and no new one
  /// starts.
  public void cancel() {
    open.cancel();
  }

  /// Reports that the user has interrupted the agent: the calls of tools that state so are
  /// cancelled; the turn continues.
  public void interrupted() {
    open.interruptByUser();
  }

  /// Whether the conversation or its turn was cancelled.
  public boolean cancelled() {
    return open.isCancelled();
  }

  /// Makes each call of the host its own turn; calls that its tool makes belong to it.
  void makeCallsTurns() {
    callsAreTurns = true;
  }

  /// Whether each call of the host is its own turn.
  boolean callsAreTurns() {
    return callsAreTurns;
  }

  /// Begins a new turn: calls run again after a terminal result or the end of the loop, and the
  /// counts of the turn start at zero.
  ///
  /// @throws RuntimeException if the store fails; the turn then begins with the next call for which
  ///   it does not
  public void nextTurn() {
    turnIsDue = true;
    open.nextTurn();
    store().catchUp();
    beginDue();
  }

  private void beginDue() {
    change(state -> new Ledger.Step<>(state.turn(state.turn() + 1), state));
    turnIsDue = false;
    log.nextTurn();
  }

  /// Ends the turn: calls that allow it are cancelled, others finish, and no new one starts before
  /// the next turn.
  public void cancelTurn() {
    open.cancelTurn();
  }

  /// Whether the turn accepts no more calls.
  public boolean exited() {
    return state().exit() != null;
  }

  /// The state of the conversation as last read here; another process may have changed it since.
  public ConversationState state() {
    return state.value();
  }

  /// Its state and what it writes, created at the first use.
  SessionStore store() {
    SessionStore current = store;
    return current == null ? newStore() : current;
  }

  private synchronized SessionStore newStore() {
    SessionStore current = store;
    if (current == null) {
      state = Ledger.inProcess(ConversationState.NEW);
      current = new SessionStore(null, state, time, events);
      store = current;
    }
    return current;
  }

  /// The unanswered requests for consent.
  public List<ConsentRequest> waiting() {
    return state().unanswered();
  }

  /// The latest state, read from the store if there is one. Pending calls that another process has
  /// settled get their results here too, and their events are emitted.
  public ConversationState refresh() {
    ConversationState latest = state.refresh();
    adopt(latest);
    return latest;
  }

  /// Settles the calls that another process has settled, and emits their events.
  void adopt(ConversationState latest) {
    log.adopt(latest).forEach(settled -> showAdopted(latest, settled));
  }

  private void showAdopted(ConversationState latest, SettledCall settled) {
    ConsentAnswer answer = latest.answer(String.valueOf(settled.result().callId()));
    if (answer != null) {
      show(new Event.AgentEvent(ConsentAnswer.EVENT, answer.json()));
    }
    show(new Event.ToolSettled(settled.result(), settled.call().name()));
  }

  /// @throws ConversationConflictException if the lease is lost
  <R extends @Nullable Object> R change(
      Function<ConversationState, Ledger.Step<ConversationState, R>> step) {
    Ledger<ConversationState> latest = store().state();
    return stored
        ? latest.change(state -> {
          lease.check(state);
          return step.apply(state);
        })
        : latest.change(step);
  }

  /// The lease of this process on the conversation.
  ConversationLease lease() {
    return lease;
  }

  /// Whether its calls are logged, so that one delivered twice runs once; false for a single call.
  boolean isLogged() {
    return logged;
  }

  /// Adds an arriving call to the log; refused if too many results wait to be stored. First stores
  /// what waits, if that takes no time.
  ///
  /// @throws RuntimeException if the store cannot say whether the call ran before
  CallLog.Claim claim(ToolCall call) {
    SessionStore current = store;
    ToolResult refusal = current == null ? null : current.refusal(call);
    if (callsAreTurns) {
      change(state -> new Ledger.Step<>(state.nextCall(), state));
    } else if (turnIsDue) {
      beginDue();
    }
    return refusal == null || log.settledCall(call.id()) != null
        ? log.claim(call, !callsAreTurns && exited())
        : CallLog.Claim.refused(call, refusal);
  }

  /// Finds a pending call in the log, or adds it.
  CallLog.Claim claimAgain(ToolCall call) {
    return new CallLog.Claim(log.waiting(call), null, !callsAreTurns && exited());
  }

  /// The result of the call of that id; null if it has none, or there is no such call.
  public @Nullable ToolResult result(String id) {
    return log.result(id);
  }

  /// The call of that id with its result; null if it has none, or there is no such call.
  @Nullable SettledCall settledCall(String id) {
    return log.settledCall(id);
  }

  /// The number of equal calls in a row that have succeeded in this turn with the same text.
  int repeats(ToolCall call) {
    return callsAreTurns ? 0 : log.repeats(call);
  }

  CallLog log() {
    return log;
  }

  boolean isStored() {
    return stored;
  }

  /// Whether it has a store, which had nothing of the conversation when it was opened.
  boolean startsEmpty() {
    return empty;
  }

  /// Settles a call with its one result, and stores it if that takes little time.
  ///
  /// @param entry its log entry
  /// @param ran the call as it ran or would have run
  void settle(CallLog.LoggedCall entry, ToolCall ran, ToolResult result) {
    if (log.settle(entry, ran, result) && stored) {
      store().settled(entry, result, state().turn());
    }
  }

  /// Settles a call with its one result, and stores result and end in one write as soon as the
  /// store accepts it.
  ///
  /// @param entry its log entry
  /// @param ran the call as it ran
  /// @param end writes its end
  void settle(CallLog.LoggedCall entry, ToolCall ran, ToolResult result, Runnable end) {
    if (log.settle(entry, ran, result) && stored) {
      store().settle(entry, result, state().turn(), end);
    } else {
      end.run();
    }
  }

  /// What the host that drives the conversation does with it beyond these methods; for the
  /// library's own hosts.
  public HostSession host() {
    return new HostedSession(this);
  }

  /// Stores what waits to be stored. The conversation may be used and closed again.
  ///
  /// @throws IllegalStateException if results could not be stored; they are lost when this process
  ///   ends
  @Override
  public void close() {
    SessionStore current = store;
    if (current != null) {
      current.close(conversationId());
    }
  }

  OpenWork open() {
    return open;
  }

  /// Whether its events are shown or stored.
  boolean emitsEvents() {
    return emits;
  }

  /// The receiver of its events.
  EventSink events() {
    return events;
  }

  /// Emits an event.
  void show(Event event) {
    show(() -> event);
  }

  /// Emits the event that is made once all earlier ones are emitted; nothing if it is null.
  void show(Supplier<? extends @Nullable Event> next) {
    boolean unused = events.show(next);
  }
}
