package dev.switchboard.restate;

import dev.restate.sdk.endpoint.definition.HandlerContext;
import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.agent.Turn;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.loop.Input;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// One attempt of the engine's to take an input: what those before it have done is read from the
/// journal, and gone on with.
///
/// Nothing but outcomes is journalled, so the loop may have been changed meanwhile: it is asked
/// anew, and what has a line, or a result, does not happen again.
final class Attempt {
  static final String HOST = "restate"; // of all workers: the engine lets one at a time have a turn

  private final Agent agent;
  private final Turns turns;
  private final String conversation;
  private final TurnStore store;
  private final EngineJournal journal;
  private volatile @Nullable Conversation turn;
  private volatile boolean cancelled;

  Attempt(Agent agent, ConversationStore storage, Turns turns, HandlerContext engine) {
    this.agent = agent;
    this.turns = turns;
    conversation = engine.objectKey();
    store = new TurnStore(conversation, storage, agent.time());
    journal = new EngineJournal(engine, this::cancel);
  }

  /// Takes the input; when the conversation has to be looked after, null for never.
  @Nullable Instant take(Input input) {
    for (Made made = journal.next(); made != null; made = journal.next()) {
      if (made.due() != null) {
        return made.due();
      }
      store.replay(made);
    }
    if (isIdle(input)) {
      return null;
    }
    journal.listen();
    try (Conversation opened = agent.conversation(conversation, options())) {
      turn = opened;
      Turn unused = opened.take(input, null);
    }
    Instant due = due();
    if (due != null) {
      journal.write(Made.rest(due));
    }
    return due;
  }

  /// Whether time has passed for nothing: what was waited for has come to rest otherwise.
  private boolean isIdle(Input input) {
    return input instanceof Input.Resumed && due() == null;
  }

  private @Nullable Instant due() {
    return store.state(conversation).load().value().due();
  }

  private ConversationOptions options() {
    return ConversationOptions.NONE
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
    Made owed = store.owed();
    if (owed.cost()) {
      journal.write(owed);
      store.paid();
    }
    turns.goOn();
  }

  /// Ends the turn, also where an attempt before has heard of it.
  private void cancel() {
    cancelled = true;
    Conversation running = turn;
    if (running != null) {
      Thread.ofVirtual().name("cancel-" + conversation).start(running::cancel);
    }
  }

  /// Lets go of the turn, which goes on elsewhere; without effect where it is over.
  void abandon() {
    store.abandon();
    cancel();
  }
}
