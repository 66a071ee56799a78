package dev.switchboard.execution;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationStore.SettledCall;
import dev.switchboard.execution.SessionState.Waiting;
import dev.switchboard.handler.MessageRouter.Delivery;
import dev.switchboard.handler.MessageRouter.Letter;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.json.Json;
import dev.switchboard.rule.StopReason;
import dev.switchboard.time.Signal;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One conversation, as the door knows it: who talks, which calls it has seen, where its events go,
/// whether it goes on.
///
/// Safe for use by several threads; its events come one after the other.
public final class ToolSession {
  private final @Nullable String caller;
  private final @Nullable String callee;
  private final @Nullable EventSink events;
  private final @Nullable CallLog log;
  private final ReentrantLock lazyLock = new ReentrantLock();
  // Null for a call that stands alone, which nobody can cancel.
  private final @Nullable OpenWork open;
  private final SessionLedger ledger;
  private final String mark;
  private volatile @Nullable String conversationId;

  ToolSession(ToolSessionBuilder builder, @Nullable CallLog log) {
    conversationId = builder.conversationId;
    mark = builder.mark;
    caller = builder.caller;
    callee = builder.callee;
    events = builder.events == null ? null : new EventSink(builder.events);
    this.log = log;
    open = log == null ? null : new OpenWork();
    ConversationStore store = builder.store;
    if (store == null || conversationId == null || log == null) {
      ledger = new SessionLedger(null);
    } else {
      ledger = new SessionLedger(store.state(conversationId));
      log.restore(conversationId, store, ledger.get().value());
    }
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
    return new ToolSession(new ToolSessionBuilder(null), null);
  }

  /// The idempotency key of the agent's call of that id.
  String idempotencyKey(String agent, String callId) {
    return IdempotencyKey.of(agent, mark + conversationId(), callId);
  }

  /// The id of the conversation or phone call.
  public String conversationId() {
    String id = conversationId;
    if (id != null) {
      return id;
    }
    lazyLock.lock();
    try {
      if (conversationId == null) {
        conversationId = LoneIds.next();
      }
      return conversationId;
    } finally {
      lazyLock.unlock();
    }
  }

  /// The number of the one who calls, null off the phone.
  public @Nullable String caller() {
    return caller;
  }

  /// The number that was called, null off the phone.
  public @Nullable String callee() {
    return callee;
  }

  /// Ends the conversation: calls that may be cancelled are, the others run to their end, and no
  /// new one starts.
  public void cancel() {
    if (open != null) {
      open.cancel();
    }
  }

  /// Whether the conversation, or its turn, was ended.
  public boolean cancelled() {
    return open != null && open.isCancelled();
  }

  /// Begins a new turn: calls run again after a terminal result, or a tool that ends the loop, has
  /// ended the last one, and what rules count by the turn begins at nothing.
  public void nextTurn() {
    change(state -> new Ledger.Step<>(state.turn(state.turn() + 1), state));
    begun();
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
    if (log != null && open != null) {
      log.nextTurn();
      open.nextTurn();
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
    return ledger.known() != null && state().exit() != null;
  }

  /// What the conversation has left behind so far; another process may have gone on since.
  public SessionState state() {
    return ledger.get().value();
  }

  /// The requests for consent that nobody has answered yet.
  public List<ConsentRequest> waiting() {
    return ledger.known() == null || state().waiting().isEmpty()
        ? List.of()
        : state().waiting().stream()
            .filter(waiting -> waiting.takenUntil() == null)
            .map(Waiting::request)
            .toList();
  }

  /// Reads the state anew from the store, where there is one. A call that waited here and that
  /// another process has settled gets its result here too, and it is shown.
  public SessionState refresh() {
    SessionState now = ledger.get().refresh();
    if (log != null) {
      for (SettledCall settled : log.takeUp(now)) {
        show(new Event.ToolSettled(settled.result(), settled.call().name()));
      }
    }
    return now;
  }

  <R extends @Nullable Object> R change(Function<SessionState, Ledger.Step<SessionState, R>> step) {
    return ledger.get().change(step);
  }

  /// The arrival of a call of the runtime's own.
  Arrival arriveOwn(String tool, Json arguments, ToolRegistry tools) {
    ToolCall call = log == null ? ToolCall.of(tool, arguments) : log.own(tool, arguments, turn());
    return arrive(call, Arrival.Origin.RULE, tools);
  }

  /// @param tools where the call's tool is looked up, if it is there
  Arrival arrive(ToolCall call, Arrival.Origin origin, ToolRegistry tools) {
    boolean ofModel = origin instanceof Arrival.Origin.Model;
    Tool tool = tools.find(call.name());
    ToolMode mode = tool == null ? null : tool.definition().mode();
    show(() -> new Event.ToolCalled(call, !ofModel, mode));
    // A nested call has an id of its own making, which must not meet one of the model's.
    boolean logged = !(origin instanceof Arrival.Origin.Outer);
    CallLog.Claim claim = log == null || !logged ? CallLog.Claim.NONE : claim(call, log);
    return new Arrival(call, this, claim.own(), claim.earlier(), origin);
  }

  /// The call's place; where the store cannot say whether it has run before, it does not run now.
  private static CallLog.Claim claim(ToolCall call, CallLog log) {
    try {
      return log.claim(call);
    } catch (RuntimeException thrown) {
      Broken.warn("a call could not be looked up", thrown);
      return new CallLog.Claim(null, CallLog.Entry.settled(call, Broken.result(call, thrown)));
    }
  }

  /// The arrival of a call that has waited for a person.
  Arrival resume(ToolCall call) {
    CallLog.Entry entry = log == null ? null : log.waiting(call);
    return new Arrival(call, this, entry, null, Arrival.Origin.MODEL);
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
  int repeats(Ticket ticket) {
    return log == null ? 0 : log.repeats(ticket.call().name(), ticket.accepted().arguments());
  }

  /// Counts the success of a call of the model's, as it ran.
  void succeeded(Ticket ticket) {
    if (log != null && ticket.arrival().ofModel()) {
      log.succeeded(ticket.asked());
    }
  }

  void settled(Arrival arrival, ToolResult result, RuleBook book) {
    keep(arrival, result);
    try {
      endTurn(arrival, result, book);
    } catch (RuntimeException thrown) {
      Broken.warn("the end of a turn was not kept", thrown);
    }
    show(() -> new Event.ToolSettled(result, arrival.call().name()));
  }

  /// The call has its one result from now on, whether the store can keep it or not.
  void keep(Arrival arrival, ToolResult result) {
    try {
      if (log != null && arrival.entry() != null) {
        log.settle(arrival.entry(), result, turn());
      }
    } catch (RuntimeException thrown) {
      Broken.warn("a result was not kept", thrown);
    }
  }

  private void endTurn(Arrival arrival, ToolResult result, RuleBook book) {
    if (arrival.ofModel() && arrival.earlier() == null && result.isTerminal()) {
      change(now -> new Ledger.Step<>(book.exited(StopReason.TERMINAL_RESULT, now), now));
    }
  }

  private int turn() {
    return ledger.known() == null ? 0 : state().turn();
  }

  void whileAsking(Signal question, Runnable waiting) {
    if (open == null) {
      waiting.run();
    } else {
      open.whileAsking(question, waiting);
    }
  }

  void started(RunningCall call) {
    if (open != null) {
      open.started(call);
    }
  }

  void ended(RunningCall call) {
    if (open != null) {
      open.ended(call);
    }
  }

  /// Shows an event of the host's own among the others.
  public void show(Event event) {
    show(() -> event);
  }

  /// Shows an event, made when its turn has come, or null for nothing to show.
  void show(Supplier<? extends @Nullable Event> next) {
    if (events != null) {
      boolean unused = events.show(next);
    }
  }

  /// Shows a message to the user, who is the only one that a conversation can write to.
  Delivery deliver(Letter letter) {
    if (!letter.target().type().equals("user")) {
      return Delivery.failed("no router is set up here: it can be for the user alone");
    }
    if (events == null) {
      return Delivery.failed("no one listens to this conversation");
    }
    return events.show(() -> new Event.Content(letter.content()))
        ? Delivery.DONE
        : Delivery.failed("it could not be shown");
  }
}
