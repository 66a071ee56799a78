package dev.switchboard.server;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.agent.Turn;
import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationQueue;
import dev.switchboard.execution.ConversationQueue.Standing;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.loop.Input;
import dev.switchboard.loop.InputJson;
import dev.switchboard.server.TurnSlot.Taken;
import dev.switchboard.server.access.Problem;
import dev.switchboard.state.ConsentAnswer;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.WaitingCall;
import dev.switchboard.text.ExceptionLog;
import dev.switchboard.text.Surrogates;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ResultCode;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Turns that run in any process that shares the store, where their inputs and cancellations are
/// stored. The conversation's state is read from the store each time. So nothing has to be reported
/// here, and an open conversation costs nothing while no client reads it.
///
/// Calls by hand and the greeting run here, in a conversation that is open only meanwhile.
/// Thread-safe.
final class WorkerTurns implements TurnHost, TurnSlot.Watcher {
  private static final System.Logger LOG = System.getLogger(WorkerTurns.class.getName());
  // In addition to announcements.
  private static final long LOOK = Duration.ofMillis(250).toNanos();

  private final String id;
  private final Agent agent;
  private final ConversationStore store;
  private final ConversationQueue queue;
  private final Feed feed;
  private final ConversationOptions options;
  private final Runnable changed;
  private final TurnSlot here;
  private volatile @Nullable Conversation running; // in this process
  private volatile @Nullable Conversation lent; // to a caller

  /// @param owner of the conversation
  /// @param queue of the store
  /// @param options of the conversation for work here
  /// @param changed called when work here begins, ends or waits
  WorkerTurns(
      String id,
      Agent agent,
      TurnSlot.Owner owner,
      ConversationStore store,
      ConversationQueue queue,
      Feed feed,
      ConversationOptions options,
      Runnable changed) {
    this.id = id;
    this.agent = agent;
    this.store = store;
    this.queue = queue;
    this.feed = feed;
    this.options = options;
    this.changed = changed;
    here = new TurnSlot(agent, id, owner, () -> false, this);
  }

  @Override
  public void runs(boolean now, boolean brokenOff) {
    if (now) {
      feed.expect();
    } else {
      feed.noteRemoteEvents(true);
    }
  }

  @Override
  public void changed() {
    changed.run();
  }

  @Override
  public void rested(TurnSlot.Rest how) {}

  private @Nullable Standing standing() {
    return queue.standing(List.of(id)).get(id);
  }

  private boolean stands(Predicate<Standing> so) {
    Standing now = standing();
    return now != null && so.test(now);
  }

  @Override
  public List<Waiting> taken() {
    long after = TurnIndex.before(feed.last());
    List<Waiting> taken = new ArrayList<>();
    for (Line line : queue.inputs(id)) {
      if (InputJson.read(line.entry()) instanceof Input.Said said) {
        String text = Surrogates.repaired(said.words().shown());
        taken.add(new Waiting(new Taken(said.id(), text, after), said.run()));
      }
    }
    // Those in the log are known from there.
    taken.removeIf(waiting -> store.event(id, "user/" + waiting.sentence().input()) != null);
    return taken;
  }

  @Override
  public boolean isRunning() {
    return stands(Standing::isRunning);
  }

  @Override
  public boolean isRunningHere() {
    return here.isRunning();
  }

  @Override
  public boolean isBroken() {
    return false;
  }

  @Override
  public boolean isToBeTriedAgain() {
    return false;
  }

  @Override
  public void awaitEnding() {
    Standing now = standing();
    if (now == null || !now.held()) {
      return;
    }
    List<Event.Logged> latest = store.events(id, Math.max(0, now.events() - 1), 1);
    if (!latest.isEmpty() && TurnIndex.isDone(latest.getLast())) {
      try {
        boolean unused = awaitFree(BUSY_RETRY);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public long say(Input.Said said) {
    long after = free();
    if (!isKept(said)) {
      throw TurnHost.busy();
    }
    feed.expect();
    changed.run();
    return after;
  }

  /// Stores an input; false if one of its id exists, or the queue is full.
  private boolean isKept(Input.Said said) {
    try {
      return submit(said);
    } catch (Problem deleted) {
      throw deleted;
    } catch (IllegalStateException full) {
      return false;
    } catch (RuntimeException e) {
      ExceptionLog.warn(LOG, ExceptionLog.in(agent.name(), id, "a sentence is not stored"), e);
      throw Problem.of(503, "not_stored", "The turn could not be stored; try again.")
          .retryAfter(BUSY_RETRY);
    }
  }

  private boolean submit(Input input) {
    try {
      return queue.submitKnown(id, options.principal(), InputJson.line(input));
    } catch (NoSuchElementException e) {
      // It was deleted meanwhile.
      throw Problem.notFound();
    }
  }

  /// The number of the conversation's latest event; no turn runs.
  private long free() {
    here.checkOpen();
    Standing now = standing();
    if (now == null) {
      throw Problem.notFound();
    }
    if (now.held() || now.due() && isToGoOn()) {
      throw TurnHost.busy();
    }
    feed.reaches(now.events());
    return TurnIndex.before(now.events());
  }

  /// Whether a turn begins or continues as soon as a worker claims it. One whose requests have
  /// expired ends at the latest when the next one begins.
  private boolean isToGoOn() {
    return !queue.inputs(id).isEmpty()
        || state().waiting().stream().anyMatch(WaitingCall::isDecided);
  }

  @Override
  public long run(String call, long size, Function<Conversation, @Nullable Turn> work) {
    long after = free();
    if (!here.run(new Taken(call, "", after), size, () -> ranHere(work))) {
      throw TurnHost.busy();
    }
    return after;
  }

  private @Nullable Turn ranHere(Function<Conversation, @Nullable Turn> work) {
    Conversation opened = agent.conversation(id, options);
    running = opened;
    try {
      return work.apply(opened);
    } finally {
      running = null;
      close(opened);
    }
  }

  @Override
  public boolean greet() {
    return agent.firstMessage() != null
        && here.run(
            null,
            0,
            () ->
                ranHere(conversation -> {
                  String words = conversation.greet(TurnHost::noOne);
                  return words == null ? null : new Turn.Reply(words);
                }));
  }

  private ConversationState state() {
    return store.state(id).load().value();
  }

  @Override
  public List<ConsentRequest> waiting() {
    Instant now = agent.time().now();
    return state().waiting().stream()
        .filter(call -> call.isOpen(now))
        .map(WaitingCall::request)
        .toList();
  }

  @Override
  public @Nullable ConsentAnswer decide(String request, Answer answer) {
    ConsentAnswer outcome = in(conversation -> conversation.decide(request, answer));
    if (outcome != null) {
      feed.expect();
    }
    return outcome == null ? over(request) : outcome;
  }

  /// The outcome of an expired request that no worker has seen yet.
  private @Nullable ConsentAnswer over(String request) {
    WaitingCall waiting = state().waiting(request);
    return waiting != null && waiting.isOver(agent.time().now())
        ? ConsentAnswer.none(request, ResultCode.CONSENT_TIMEOUT, waiting.request().expiresAt())
        : null;
  }

  @Override
  public <T extends @Nullable Object> T in(Function<Conversation, T> work) {
    Conversation opened = agent.conversation(id, options);
    try {
      return work.apply(opened);
    } finally {
      close(opened);
    }
  }

  private void close(Conversation opened) {
    // The host that drives a live one closes it.
    if (opened.equals(running) || opened.equals(lent) || opened.isLive()) {
      return;
    }
    try {
      opened.close();
    } catch (IllegalStateException e) {
      LOG.log(Level.WARNING, ExceptionLog.in(agent.name(), id, "results are not stored"));
    }
  }

  /// Workers do that.
  @Override
  public void resume() {}

  @Override
  public void cancel(String by) {
    awaitEnding();
    ConversationState now = state();
    if (now.lease().until() != null || !queue.inputs(id).isEmpty()) {
      cancelTurn();
    } else if (now.loop().waiting() || !now.waiting().isEmpty()) {
      boolean unused = submit(Input.Cancelled.of(by));
      feed.expect();
    }
  }

  @Override
  public void cancelTurn() {
    queue.cancel(id);
    cancelHere();
  }

  @Override
  public void cancelHere() {
    Conversation current = running;
    if (current != null) {
      current.cancel();
    }
  }

  @Override
  public void refuse(Supplier<Problem> answer) {
    here.refuse(answer);
  }

  @Override
  public void refuseNone() {
    here.refuseNone();
  }

  @Override
  public boolean join(Duration most) throws InterruptedException {
    return await(Standing::isRunning, most);
  }

  @Override
  public boolean awaitFree(Duration most) throws InterruptedException {
    return await(Standing::held, most);
  }

  private boolean await(Predicate<Standing> last, Duration most) throws InterruptedException {
    long end = System.nanoTime() + most.toNanos();
    while (true) {
      long news = feed.news();
      if (!stands(last)) {
        return true;
      }
      long left = end - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      feed.awaitNews(news, Math.min(left, LOOK));
    }
  }

  @Override
  public boolean joinHere(Duration most) throws InterruptedException {
    return here.join(most);
  }

  @Override
  public Conversation conversation() {
    Conversation opened = agent.conversation(id, options);
    lent = opened;
    return opened;
  }

  @Override
  public long fileBytes() {
    return 0;
  }

  @Override
  public void close() {
    Conversation current = lent;
    lent = null;
    if (current != null) {
      close(current);
    }
  }
}
