package dev.switchboard.execution;

import dev.switchboard.execution.ConversationStore.SettledCall;
import dev.switchboard.execution.host.HostEvents;
import dev.switchboard.execution.host.HostLease;
import dev.switchboard.execution.host.HostSession;
import dev.switchboard.execution.host.SeenLeases;
import dev.switchboard.json.Json;
import dev.switchboard.state.Ledger;
import dev.switchboard.state.LoopState;
import dev.switchboard.state.Spending;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// What the host that drives a session's conversation does with it.
final class HostedSession implements HostSession {
  private final ToolSession session;
  private final CallLog log;
  private final OpenWork open;

  HostedSession(ToolSession session) {
    this.session = session;
    log = session.log();
    open = session.open();
  }

  @Override
  public HostEvents events() {
    return session.events();
  }

  @Override
  public HostLease lease() {
    return session.lease();
  }

  @Override
  public boolean startsEmpty() {
    return session.startsEmpty();
  }

  @Override
  public void acquire(SeenLeases seen) {
    if (session.isStored()) {
      log.forgetAbsent();
      session.lease().acquire(seen);
      session.adopt(session.state());
    }
  }

  @Override
  public void beginTurn(
      int number, @Nullable String by, String key, Json line, Map<String, Event> logged) {
    Runnable begin =
        () -> {
          logged.forEach(session.events()::append);
          beginTurn(number, by);
        };
    session.store().write(new ConversationStore.Line(key, line), logged.keySet(), begin);
  }

  @Override
  public void beginTurn(int number, @Nullable String by) {
    if (session.state().turn() < number) {
      // Even if the write fails: it may be stored nevertheless.
      log.nextTurn();
    }
    session.change(
        state -> new Ledger.Step<>(state.turn() < number ? state.turn(number, by) : state, number));
  }

  @Override
  public void forgetCancelledTurn() {
    open.nextTurn();
  }

  @Override
  public void makeCallsTurns() {
    session.makeCallsTurns();
  }

  @Override
  public boolean append(String key, Json line, boolean mayWait) {
    boolean waits = mayWait && session.events().isLogged();
    session.store().append(new ConversationStore.Line(key, line), waits);
    return !waits;
  }

  @Override
  public void append(String key, Json line, Spending.Sum used) {
    session
        .store()
        .write(
            new ConversationStore.Line(key, line),
            Set.of(),
            () -> changeSpending(spent -> spent.plus(used)));
  }

  @Override
  public void changeSpending(UnaryOperator<Spending> change) {
    session.change(state -> {
      Spending next = change.apply(state.spending());
      return new Ledger.Step<>(state.withSpending(next), next);
    });
  }

  @Override
  public void storeLines() {
    session.store().lines();
  }

  @Override
  public Map<ToolCall, ToolResult> ownCalls() {
    return log.own();
  }

  @Override
  public @Nullable ToolCall settledCall(String id) {
    SettledCall settled = session.settledCall(id);
    return settled == null ? null : settled.call();
  }

  @Override
  public <T extends @Nullable Object> T cancellable(Runnable interrupt, Supplier<T> work) {
    return open.cancellable(interrupt, work);
  }

  @Override
  public void storeLoop(LoopState loop) {
    session.change(state -> new Ledger.Step<>(state.withLoop(loop), loop));
  }

  @Override
  public void endTurn(LoopState loop) {
    if (session.isStored()) {
      session.lease().endTurn(loop);
    } else {
      storeLoop(loop);
    }
  }
}
