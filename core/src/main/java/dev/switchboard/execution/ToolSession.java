package dev.switchboard.execution;

import dev.switchboard.attempt.Attempts;
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

/// One conversation, as the door knows it: who talks, which calls it has seen, where its events go,
/// whether it goes on.
///
/// Safe for use by several threads; its events come one after the other.
public final class ToolSession implements AutoCloseable {
  private static final ToolSessionBuilder ALONE = new ToolSessionBuilder("");

  private final @Nullable String caller;
  private final @Nullable String callee;
  private final Map<String, String> attributes;
  private final OwnTools tools;
  private final @Nullable Approver approver;
  private final EventSink events;
  private final boolean heard; // whether its events are shown or stored
  // Both null for a call that stands alone, which has no second and which nobody can cancel.
  private final @Nullable CallLog log;
  private final @Nullable OpenWork open;
  private final ConversationLease lease;
  private final boolean stored; // whether it is kept beyond this process
  private final Time time;
  private final String mark;
  private volatile @Nullable String conversationId;
  private volatile @Nullable SessionStore store; // null while there is nothing to remember
  private volatile boolean turnIsDue;

  ToolSession(ToolSessionBuilder builder, @Nullable CallLog log) {
    this.log = log;
    open = log == null ? null : new OpenWork();
    mark = builder.mark;
    caller = builder.caller;
    callee = builder.callee;
    attributes = Map.copyOf(builder.attributes);
    tools = OwnTools.of(builder.tools);
    approver = builder.approver;
    time = builder.time;
    stored = log != null && builder.store != null;
    if (log == null || builder.store == null) {
      conversationId = log == null ? null : builder.conversationId;
      lease = ConversationLease.UNNEEDED;
      events = builder.sink(null);
    } else {
      String id = builder.conversationId;
      conversationId = id;
      Journal journal = new Journal(id, builder.store, () -> lease().fence());
      Ledger<ConversationState> state = Ledger.of(journal);
      lease = new ConversationLease(id, state, builder.hold, time);
      log.restore(id, builder.store, state.value());
      events = builder.sink(journal);
      store = new SessionStore(journal, state, time, events);
    }
    heard = events.isHeard();
  }

  /// A conversation of that id, whose events nobody wants.
  public static ToolSession of(String conversationId) {
    return builder(conversationId).build();
  }

  /// A conversation of that id to set up.
  public static ToolSessionBuilder builder(String conversationId) {
    return new ToolSessionBuilder(conversationId);
  }

  /// For a call that stands alone: an id made up when somebody asks, and no log.
  static ToolSession alone() {
    return new ToolSession(ALONE, null);
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

  /// The number of the one who calls, null off the phone.
  public @Nullable String caller() {
    return caller;
  }

  /// The number that was called, null off the phone.
  public @Nullable String callee() {
    return callee;
  }

  /// What the host has said of it, such as a tenant or a trace.
  public Map<String, String> attributes() {
    return attributes;
  }

  /// Who is asked what handlers ask of a person in this conversation, null for who is asked about
  /// calls.
  @Nullable Approver approver() {
    return approver;
  }

  /// The tools of this conversation alone.
  OwnTools tools() {
    return tools;
  }

  /// Ends the conversation: calls that may be cancelled are, the others run to their end, and no
  /// new one starts.
  public void cancel() {
    if (open != null) {
      open.cancel();
    }
  }

  /// The user has interrupted the agent: calls of tools which state themselves that they are
  /// cancelled then are; the turn goes on.
  public void interrupted() {
    if (open != null) {
      open.interruptByUser();
    }
  }

  /// Whether the conversation, or its turn, was ended.
  public boolean cancelled() {
    return open != null && open.isCancelled();
  }

  /// Begins a new turn: calls run again after a terminal result, or a tool that ends the loop, has
  /// ended the last one, and what rules count by the turn begins at nothing.
  ///
  /// @throws RuntimeException when the store does not take it; the turn begins with the first call
  ///   for which it does, and before that no call runs
  public void nextTurn() {
    turnIsDue = true;
    forgetCancelledTurn();
    beginDue();
  }

  /// Takes calls again after [#cancelTurn()].
  public void forgetCancelledTurn() {
    if (open != null) {
      open.nextTurn();
    }
  }

  private void beginDue() {
    if (turnIsDue) {
      catchUp();
      change(state -> new Ledger.Step<>(state.turn(state.turn() + 1), state));
      turnIsDue = false;
      begun();
    }
  }

  /// Writes a line of the conversation, where it is kept; false where it waits for what is written
  /// next, a call, an event of the log, or the end of the turn: none of these is there before it.
  ///
  /// @param mayWait whether it may; not where events are shown that no log tells
  /// @throws ConversationConflictException when another process goes on with the conversation
  public boolean append(ConversationStore.Line line, boolean mayWait) {
    boolean waits = mayWait && events.isLogged();
    if (stored) {
      store().append(line, waits);
    }
    return !waits;
  }

  /// Begins the turn of that number with a line, both at once.
  ///
  /// @throws ConversationConflictException when another process goes on with the conversation
  public void beginTurn(int number, ConversationStore.Line line) {
    if (stored) {
      store().write(line, () -> beginTurn(number));
    } else {
      beginTurn(number);
    }
  }

  /// Begins the turn of that number; without effect where it has begun, in this process or another.
  public void beginTurn(int number) {
    boolean begins =
        change(state ->
            state.turn() < number
                ? new Ledger.Step<>(state.turn(number), true)
                : new Ledger.Step<>(state, false));
    if (begins) {
      begun();
    }
  }

  private void begun() {
    if (log != null) {
      log.nextTurn();
    }
  }

  /// Ends the turn: calls that may be cancelled are, the others run to their end, and no new one
  /// starts before the next turn.
  public void cancelTurn() {
    if (open != null) {
      open.cancelTurn();
    }
  }

  /// Whether the turn takes no more calls.
  public boolean exited() {
    return state().exit() != null;
  }

  /// What the conversation has left behind so far; another process may have gone on since.
  public ConversationState state() {
    SessionStore known = store;
    return known == null ? ConversationState.NEW : known.state().value();
  }

  /// What is remembered of it and how that is stored, made when it is first needed.
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

  /// The requests for consent that nobody has answered yet.
  public List<ConsentRequest> waiting() {
    return state().unanswered();
  }

  /// Reads the state anew from the store, where there is one. A call that waited here and that
  /// another process has settled gets its result here too, and it is shown.
  public ConversationState refresh() {
    SessionStore known = store;
    ConversationState now = known == null ? ConversationState.NEW : known.state().refresh();
    takeUp(now);
    return now;
  }

  private void takeUp(ConversationState now) {
    if (log != null) {
      log.takeUp(now).forEach(settled -> takenUp(now, settled));
    }
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

  /// The right of this process to go on with the conversation.
  public ConversationLease lease() {
    return lease;
  }

  /// Takes hold of the conversation, for a turn of its loop, and reads what others have done in it.
  ///
  /// @param seen what this process knows of the leases of others
  /// @throws ConversationConflictException when another process has it, or has gone on since
  public void hold(ConversationLease.Seen seen) {
    lease.take(seen);
    takeUp(state());
  }

  /// Keeps where an agent's loop stands at the end of a turn, and lets the conversation go.
  ///
  /// @throws ConversationConflictException when the lease is lost
  public void keep(LoopState loop) {
    lease.end(store().state(), loop);
  }

  /// Keeps where an agent's loop stands at the end of a turn, and holds on to the conversation.
  ///
  /// @throws ConversationConflictException when the lease is lost
  public void keepHolding(LoopState loop) {
    change(state -> new Ledger.Step<>(state.withLoop(loop), loop));
  }

  /// A call of the runtime's own, under an id that it has again where the turn is run again.
  ToolCall own(String tool, Json arguments) {
    return log == null ? ToolCall.of(tool, arguments) : log.own(tool, arguments, turn());
  }

  /// Stores what waits to be stored, as far as that takes no time.
  void catchUp() {
    SessionStore known = store;
    if (known != null) {
      known.catchUp();
    }
  }

  /// The place of a call that has come in. Where the store cannot say whether it has run before, or
  /// too many results wait to be stored, it does not run now.
  CallLog.Claim claim(ToolCall call) {
    if (log == null) {
      return CallLog.Claim.NONE;
    }
    try {
      beginDue();
      SessionStore known = store;
      ToolResult refused = known == null ? null : known.refusal(call);
      return refused == null || log.settledCall(call.id()) != null
          ? log.claim(call)
          : new CallLog.Claim(null, CallLog.LoggedCall.settled(call, refused));
    } catch (RuntimeException thrown) {
      return new CallLog.Claim(null, CallLog.LoggedCall.settled(call, Broken.result(call, thrown)));
    }
  }

  /// The place of a call that has waited for a person.
  CallLog.Claim claimAgain(ToolCall call) {
    return new CallLog.Claim(log == null ? null : log.waiting(call), null);
  }

  /// The result of the call of that id, null while it has none.
  public @Nullable ToolResult result(String id) {
    SettledCall settled = settledCall(id);
    return settled == null ? null : settled.result();
  }

  /// The call of that id and its result, null while it has none.
  @Nullable SettledCall settledCall(String id) {
    return log == null ? null : log.settledCall(id);
  }

  /// The calls that the runtime has made by itself in this turn, and their results, in their order.
  public List<SettledCall> ownCalls() {
    return log == null ? List.of() : log.own();
  }

  /// Whether a call of that id runs in this process.
  boolean isRunning(String id) {
    return open != null && open.isRunning(id);
  }

  /// How often the same call has succeeded in this turn.
  int repeats(ToolCall call) {
    return log == null ? 0 : log.repeats(call.name(), call.arguments());
  }

  /// Whether it is kept beyond this process.
  boolean isStored() {
    return stored;
  }

  /// The call has its one result from now on, which is stored, if that does not take long. One that
  /// ran has been kept by now, where that is stored.
  ///
  /// @param entry its place
  /// @param ran the call as it ran, where it did
  void settle(CallLog.LoggedCall entry, ToolCall ran, ToolResult result) {
    if (log != null && log.settle(entry, ran, result) && stored) {
      store().settled(entry, result, turn());
    }
  }

  /// The call has its one result from now on, which is stored with what is written of its end, as
  /// soon as the store takes it.
  ///
  /// @param entry its place
  /// @param ran the call as it ran
  /// @param end writes its end
  void keep(CallLog.LoggedCall entry, ToolCall ran, ToolResult result, Runnable end) {
    if (log != null && log.settle(entry, ran, result) && stored) {
      store().keep(entry, result, turn(), end);
    } else {
      end.run();
    }
  }

  /// Stores the lines that may wait no longer, since a handler is to begin. Results of calls may: a
  /// store that does not take them keeps no other call from running, as long as they are not many.
  public void storeLines() {
    if (stored) {
      store().lines();
    }
  }

  /// How many results wait to be stored, since the store did not take them.
  public int unstored() {
    SessionStore known = store;
    return known == null ? 0 : known.unstored();
  }

  /// Stores what waits to be stored. The conversation may be gone on with, and closed again.
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

  /// The number of its turn, 0 before the first.
  int turn() {
    return state().turn();
  }

  /// Does something that is cut off when the conversation or its turn is cancelled, before or
  /// meanwhile.
  ///
  /// @param interrupt cuts it off, from any thread
  public <T extends @Nullable Object> T cancellable(Runnable interrupt, Supplier<T> work) {
    return open == null ? work.get() : open.cancellable(interrupt, work);
  }

  void started(Attempts attempts) {
    if (open != null) {
      open.started(attempts);
    }
  }

  void ended(Attempts attempts) {
    if (open != null) {
      open.ended(attempts);
    }
  }

  /// Whether its events are shown or stored.
  boolean isHeard() {
    return heard;
  }

  /// Where its events go.
  public EventSink events() {
    return events;
  }

  /// Shows an event of the host's own among the others.
  public void show(Event event) {
    show(() -> event);
  }

  /// Shows an event, made when its turn has come, or null for nothing to show.
  void show(Supplier<? extends @Nullable Event> next) {
    boolean unused = events.show(next);
  }
}
