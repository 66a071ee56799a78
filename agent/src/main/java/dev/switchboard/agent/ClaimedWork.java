package dev.switchboard.agent;

import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.execution.ConversationQueue;
import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.loop.InputJson;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// The work of a process in a conversation that it has claimed: it processes the waiting inputs, or
/// continues what is due.
///
/// @param inputs that wait
/// @param cancelled whether a cancel of its turn was requested
/// @param stopping whether the process ends
/// @param pause how long to skip the conversation if this fails
record ClaimedWork(
    String conversation,
    List<Line> inputs,
    ConversationQueue queue,
    BooleanSupplier cancelled,
    BooleanSupplier stopping,
    Supplier<Duration> pause)
    implements BiConsumer<TurnRunner, ToolSession> {
  @Override
  public void accept(TurnRunner runner, ToolSession session) {
    try {
      if (cancelled.getAsBoolean()) {
        session.cancelTurn();
      }
      work(runner);
    } catch (ConversationConflictException e) {
      throw e;
    } catch (StoppableEffects.StoppedException e) {
      leave(session, Duration.ZERO, e);
      throw e;
    } catch (RuntimeException | Error e) {
      leave(session, pause.get(), e);
      throw e;
    }
  }

  private static void leave(ToolSession session, Duration pause, Throwable why) {
    try {
      session.host().lease().expireAfter(pause);
    } catch (RuntimeException e) {
      // The lease expires by itself.
      why.addSuppressed(e);
    }
  }

  private void work(TurnRunner runner) {
    if (inputs.isEmpty()) {
      Turn unused = runner.resume();
    }
    for (int i = 0; i < inputs.size() && !stopping.getAsBoolean(); i++) {
      if (i > 0) {
        runner.reacquire();
      }
      take(runner, inputs.get(i));
    }
  }

  private void take(TurnRunner runner, Line input) {
    boolean processed = runner.state().knows(input.key()); // and submitted again after that
    try {
      Turn unused = runner.take(InputJson.read(input.entry()));
    } catch (IllegalArgumentException e) {
      if (runner.isCutOff()) {
        throw e;
      }
      runner.refuse(input.key(), String.valueOf(e.getMessage()));
    }
    if (processed || !runner.state().knows(input.key())) {
      queue.drop(conversation, input.key());
    }
  }
}
