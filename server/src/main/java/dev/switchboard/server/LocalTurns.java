package dev.switchboard.server;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.agent.Turn;
import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.loop.Input;
import dev.switchboard.mount.FullException;
import dev.switchboard.server.TurnSlot.Taken;
import dev.switchboard.server.access.Problem;
import dev.switchboard.state.ConsentAnswer;
import dev.switchboard.text.ExceptionLog;
import dev.switchboard.text.Surrogates;
import dev.switchboard.tool.Event;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Turns that run in the server, each on its own thread, whether or not a client reads their
/// events.
///
/// Thread-safe.
final class LocalTurns implements TurnHost, TurnSlot.Watcher {
  private static final System.Logger LOG = System.getLogger(LocalTurns.class.getName());
  private static final Duration ASKING = Duration.ofSeconds(15);

  private final Feed feed;
  private final Agent agent;
  private final Conversation conversation;
  private final Runnable changed;
  private final Runnable lost;
  private final TurnSlot turns;
  private volatile boolean elsewhere; // another host was faster

  /// @param owner of the conversation
  /// @param options with which it is opened
  /// @param changed called when a turn begins, ends or waits
  /// @param lost called when another process has taken the conversation, and its state here is
  ///   outdated
  LocalTurns(
      String id,
      Agent agent,
      TurnSlot.Owner owner,
      Feed feed,
      ConversationOptions options,
      Runnable changed,
      Runnable lost) {
    this.feed = feed;
    this.changed = changed;
    this.lost = lost;
    this.agent = agent;
    conversation = agent.conversation(id, options);
    turns = new TurnSlot(agent, id, owner, conversation::isCutOff, this);
  }

  @Override
  public void runs(boolean now, boolean brokenOff) {
    feed.runs(now);
    if (brokenOff) {
      // What could not be stored is sent when the turn is retried.
      feed.interrupt();
    }
  }

  @Override
  public void changed() {
    changed.run();
  }

  @Override
  public void rested(TurnSlot.Rest how) {
    switch (how) {
      case LOST -> lost.run();
      case ENDED -> {
        if (conversation.hasDecided()) {
          // An answer was stored while the turn ended.
          resume();
        }
      }
      case BROKEN_OFF -> {}
    }
  }

  @Override
  public List<Waiting> taken() {
    Taken now = turns.taking();
    return now == null ? List.of() : List.of(new Waiting(now, null));
  }

  @Override
  public boolean isClosed() {
    return !agent.isOpen(conversation);
  }

  @Override
  public boolean isRunning() {
    return turns.isRunning();
  }

  @Override
  public boolean isRunningHere() {
    return turns.isRunning();
  }

  @Override
  public boolean isBroken() {
    return turns.isBroken();
  }

  @Override
  public boolean isToBeTriedAgain() {
    return turns.isToBeTriedAgain();
  }

  @Override
  public void awaitEnding() {
    List<Event.Logged> latest = feed.after(Math.max(0, feed.last() - 1));
    if (isRunning() && !latest.isEmpty() && TurnIndex.isDone(latest.getLast())) {
      try {
        boolean unused = join(BUSY_RETRY);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public long say(Input.Said said) {
    String text = Surrogates.repaired(said.words().shown());
    long after =
        begin(said.id(), text, TurnRoom.size(said), () -> conversation.take(said, TurnHost::noOne));
    awaitStored(said.id(), after);
    return after;
  }

  private void awaitStored(String input, long after) {
    long cursor = after;
    try {
      while (!feed.isOver(cursor, true)) {
        for (Event.Logged event : feed.after(cursor)) {
          if (input.equals(event.run())) {
            return;
          }
          cursor = event.number();
        }
        feed.await(cursor, true, ASKING);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw elsewhere
        ? TurnHost.busy()
        : Problem.of(503, "not_stored", "The turn could not be stored; try again.")
            .retryAfter(BUSY_RETRY);
  }

  @Override
  public long run(String id, long size, Function<Conversation, @Nullable Turn> work) {
    return begin(id, "", size, () -> work.apply(conversation));
  }

  private long begin(String input, String text, long size, Supplier<@Nullable Turn> work) {
    turns.checkOpen();
    if (turns.isCutOff() && !isRunning()) {
      resume();
    }
    long after = TurnIndex.before(feed.last());
    if (turns.isCutOff()
        || conversation.held() != null
        || conversation.isLive()
        || !turns.run(new Taken(input, text, after), size + fileBytes(), () -> here(work))) {
      throw TurnHost.busy();
    }
    return after;
  }

  /// The work, unless another host has the conversation.
  private @Nullable Turn here(Supplier<@Nullable Turn> work) {
    try {
      return work.get();
    } catch (ConversationConflictException e) {
      elsewhere = true;
      throw e;
    }
  }

  @Override
  public boolean greet() {
    return turns.run(
        null,
        0,
        () -> {
          String words = conversation.greet(TurnHost::noOne);
          return words == null ? null : new Turn.Reply(words);
        });
  }

  @Override
  public List<ConsentRequest> waiting() {
    return conversation.waiting();
  }

  @Override
  public @Nullable ConsentAnswer decide(String request, Answer answer) {
    return conversation.decide(request, answer);
  }

  @Override
  public <T extends @Nullable Object> T in(Function<Conversation, T> work) {
    return work.apply(conversation);
  }

  @Override
  public void resume() {
    if (conversation.held() == null) {
      try {
        boolean unused = turns.run(null, fileBytes(), () -> conversation.resume(TurnHost::noOne));
      } catch (FullException e) {
        // It stays due, and the server tries again.
        LOG.log(Level.DEBUG, "a conversation is gone on with later", e);
      }
    }
  }

  @Override
  public void cancel(String by) {
    if (conversation.held() != null) {
      throw TurnHost.elsewhere();
    }
    awaitEnding();
    if (isRunning() || waiting().isEmpty()) {
      conversation.cancel();
      resume();
    } else if (!turns.run(null, 0, () -> conversation.cancelWaiting(by, TurnHost::noOne))) {
      // An answer was faster.
      conversation.cancel();
    }
  }

  @Override
  public void cancelTurn() {
    conversation.cancel();
  }

  @Override
  public void cancelHere() {
    conversation.cancel();
  }

  @Override
  public void refuse(Supplier<Problem> answer) {
    turns.refuse(answer);
  }

  @Override
  public void refuseNone() {
    turns.refuseNone();
  }

  @Override
  public boolean join(Duration most) throws InterruptedException {
    return turns.join(most);
  }

  @Override
  public boolean awaitFree(Duration most) throws InterruptedException {
    return turns.join(most);
  }

  @Override
  public boolean joinHere(Duration most) throws InterruptedException {
    return turns.join(most);
  }

  @Override
  public Conversation conversation() {
    return conversation;
  }

  @Override
  public long fileBytes() {
    return conversation.fileBytes();
  }

  @Override
  public void close() {
    if (conversation.isLive()) {
      return; // the host that drives it closes it
    }
    if (turns.isRunning()) {
      conversation.handOver();
    }
    try {
      conversation.close();
    } catch (IllegalStateException e) {
      LOG.log(Level.WARNING, ExceptionLog.in(conversation.id(), "results are not stored"));
    }
  }
}
