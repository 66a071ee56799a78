package dev.switchboard.restate;

import dev.restate.sdk.endpoint.definition.HandlerContext;
import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.agent.Turn;
import dev.switchboard.execution.ConversationQueue;
import dev.switchboard.execution.ConversationQueue.Standing;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.loop.Input;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One attempt of the engine to process an input. It reads the outcomes of earlier attempts from
/// the journal, and continues from there.
///
/// The journal contains only outcomes, so the loop's code may have changed since: the loop runs
/// again, and an effect that has a line or a result does not happen again.
final class TurnAttempt {
  static final String HOST = "restate"; // of all workers: the engine runs a turn on one

  private final Agent agent;
  private final RunningTurns turns;
  private final String conversation;
  private final String principal;
  private final ConversationStore storage;
  private final TurnStore store;
  private final EngineJournal journal;
  private volatile @Nullable Conversation turn;
  private volatile boolean cancelled;

  /// @param principal whose input it is
  TurnAttempt(
      Agent agent,
      String principal,
      ConversationStore storage,
      RunningTurns turns,
      HandlerContext engine) {
    this.agent = agent;
    this.turns = turns;
    this.principal = principal;
    this.storage = storage;
    conversation = engine.objectKey();
    store = new TurnStore(conversation, principal, storage, agent.time());
    journal = new EngineJournal(engine, this::cancel);
  }

  /// The agent's name.
  String agent() {
    return agent.name();
  }

  String conversation() {
    return conversation;
  }

  /// Processes the input. Returns when the conversation needs attention again, null for never.
  @Nullable Instant take(Input input) {
    for (JournalEntry entry = journal.next(); entry != null; entry = journal.next()) {
      if (entry.due() != null) {
        return entry.due();
      }
      store.replay(entry);
    }
    if (!isIdle(input)) {
      journal.listen();
      taken(input);
    }
    settle(input);
    Instant due = due();
    if (due != null) {
      journal.write(JournalEntry.rest(due));
    }
    return due;
  }

  /// Refuses an input that can never be accepted, so that it is not retried.
  private void taken(Input input) {
    try (Conversation opened = agent.conversation(conversation, options())) {
      turn = opened;
      cancelled |= isEndAskedFor();
      try {
        Turn unused = opened.take(input, null);
      } catch (IllegalArgumentException e) {
        opened.refuse(input.id(), String.valueOf(e.getMessage()));
        settle(input);
        throw e;
      }
    }
  }

  private boolean isEndAskedFor() {
    ConversationQueue queue = storage.queue();
    return queue != null && !queue.cancelled(List.of(conversation)).isEmpty();
  }

  /// Removes the input from the storage's queue, even if the conversation does not know it, and
  /// releases the conversation if nothing holds it; remaining work is in the state.
  private void settle(Input input) {
    ConversationQueue queue = storage.queue();
    Standing now = queue == null ? null : queue.standing(List.of(conversation)).get(conversation);
    if (queue == null || now == null || !now.isRunning()) {
      return;
    }
    queue.drop(conversation, input.id());
    Cell<ConversationState> state = storage.state(conversation);
    Cell.Version<ConversationState> latest = state.load();
    if (latest.value().lease().until() == null) {
      boolean unused = state.replace(latest, latest.value());
    }
  }

  /// Whether a wake-up has nothing to do, because all is settled.
  private boolean isIdle(Input input) {
    return input instanceof Input.Resumed && due() == null;
  }

  private @Nullable Instant due() {
    return store.state(conversation).load().value().due();
  }

  private ConversationOptions options() {
    return ConversationOptions.NONE
        .withPrincipal(principal)
        .withSoleHost(HOST)
        .withLog(event -> {})
        .withStore(store)
        .withEffects(effects -> new JournalledEffects(effects, this::journal));
  }

  private void journal() {
    Conversation running = turn;
    if (cancelled && running != null) {
      running.cancel();
    }
    JournalEntry owed = store.owed();
    if (owed.cost()) {
      journal.write(owed);
      store.paid();
    }
    turns.checkContinues();
  }

  /// Cancels the turn, even if an earlier attempt was cancelled.
  void cancel() {
    cancelled = true;
    Conversation running = turn;
    if (running != null) {
      Thread.ofVirtual().name("cancel-" + conversation).start(running::cancel);
    }
  }

  /// Abandons the turn, which continues elsewhere; without effect if it is over.
  void abandon() {
    store.abandon();
    journal.close();
    cancel();
  }
}
