package dev.switchboard.agent;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.execution.ToolSessionBuilder;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.loop.AgentLoop;
import dev.switchboard.loop.Input;
import dev.switchboard.loop.Sentences;
import dev.switchboard.loop.Step;
import dev.switchboard.loop.TranscriptEntry;
import dev.switchboard.model.Message;
import dev.switchboard.rule.StopReason;
import dev.switchboard.ruling.Offer;
import dev.switchboard.state.LoopState;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A conversation with an agent, in this process.
///
/// Safe for use by several threads: one turn runs at a time, others wait for it; [#cancel()], and
/// asking where it stands, does not wait, so both may be done within an event too. No turn begins
/// there. With a store, what was said survives the process at any moment: an unfinished turn is
/// taken up where it broke off.
public final class Conversation implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Conversation.class.getName());

  private final String id;
  private final AgentParts agent;
  private final Variables variables;
  private final Conversations open;
  private final AgentLoop loop;
  private final ToolSession session;
  private final Transcript transcript;
  private final DirectEffects effects;
  private final ReentrantLock turnLock = new ReentrantLock();
  private volatile @Nullable Consumer<Event> events;
  private volatile @Nullable Thread showing;
  private volatile boolean running;
  private boolean advanced; // since it was opened here; guarded by turnLock

  Conversation(String id, AgentParts agent, ConversationOptions options, Conversations open) {
    this.id = id;
    this.agent = agent;
    variables = agent.variables().with(options.variables());
    this.open = open;
    loop = new AgentLoop(agent.limits().iterations(), agent.denyPending());
    ConversationStore store = agent.store();
    ToolSessionBuilder builder =
        ToolSession.builder(id)
            .caller(options.caller())
            .callee(options.callee())
            .attributes(options.attributes())
            .tools(options.tools())
            .events(this::pass)
            .log(options.log())
            .time(agent.time());
    // Without a store the ids of its calls come again when it is opened again.
    session =
        (store == null ? builder.mark(UUID.randomUUID().toString()) : builder.store(store)).build();
    transcript =
        new Transcript(
            id,
            session.lease()::fence,
            agent.limits().history(),
            store,
            agent.time(),
            agent.memory());
    effects = new DirectEffects(agent, variables, session, transcript);
    if (store != null) {
      agent.executor().loop().recover(session);
    }
  }

  /// Shows one event after the other.
  private void pass(Event event) {
    Consumer<Event> sink = events;
    if (sink == null) {
      return;
    }
    Thread before = showing;
    showing = Thread.currentThread();
    try {
      sink.accept(event);
    } finally {
      showing = before;
    }
  }

  /// Shows words of the agent's that did not come from the model; false where nobody listens.
  boolean show(String words) {
    if (events == null) {
      return false;
    }
    session.show(new Event.Content(words));
    return true;
  }

  /// Its id.
  public String id() {
    return id;
  }

  /// The agent's first words, shown and written down where the conversation has not begun; null
  /// where it has, or there are none.
  public @Nullable String greet(Consumer<Event> sink) {
    return inTurn(
        sink,
        () -> {
          String greeting = transcript.isEmpty() ? filledGreeting() : null;
          if (greeting != null) {
            started();
            effects.show("greeting", new Event.Content(greeting));
            session.events().flush();
            greeted(greeting);
          }
          return greeting;
        });
  }

  private @Nullable String filledGreeting() {
    String text = agent.firstMessage();
    return text == null ? null : variables.fill(text);
  }

  private void greeted(String greeting) {
    transcript.once(
        "greeting", TranscriptEntry.Greeted.class, () -> new TranscriptEntry.Greeted(greeting));
  }

  /// The same where nobody listens.
  public @Nullable String greet() {
    return greet(event -> {});
  }

  /// How the turn comes to rest that these words of the user begin. What tools, hooks and the model
  /// throw does not come out here, but for an [Error] of the model's.
  ///
  /// @throws ConversationConflictException when another process goes on with the same conversation
  /// @throws IllegalStateException within an event or a hook of a turn, or where what is stored of
  ///   the conversation cannot be read
  /// @throws RuntimeException of the agent's store when it cannot be read or written, such as a
  ///   `StoreException` of ours; the turn broke off then, and [#resume()] takes it up where its
  ///   words were stored
  public Turn say(String text) {
    return take(Input.Said.of(text), null);
  }

  /// The same; events are shown there while it runs, one after the other.
  public Turn say(String text, Consumer<Event> sink) {
    return take(Input.Said.of(text), sink);
  }

  /// How the turn comes to rest that waited for this answer.
  ///
  /// @throws IllegalArgumentException when no such request waits, or the arguments put in are not
  ///   good ones
  public Turn answer(String request, Answer answer) {
    return answering(request, answer, null);
  }

  /// The same; events are shown there while it runs.
  public Turn answer(String request, Answer answer, Consumer<Event> sink) {
    return answering(request, answer, sink);
  }

  /// How the turn comes to rest that waited for this answer.
  ///
  /// @throws IllegalArgumentException as [#answer(String, Answer)]
  public Turn answer(ConsentRequest request, Answer answer) {
    return answering(request.id(), answer, null);
  }

  private Turn answering(String request, Answer answer, @Nullable Consumer<Event> sink) {
    return inTurn(
        sink,
        () -> {
          if (waiting().stream().noneMatch(one -> one.id().equals(request))) {
            throw new IllegalArgumentException("no call '" + request + "' waits for consent");
          }
          return effects.isByHand(request)
              ? effects.answerByHand(request, answer)
              : taken(Input.Answered.of(request, answer));
        });
  }

  /// How a call comes to rest that a person makes, and not the model, such as one that takes a
  /// change back: it goes through the door as a turn of its own, and the model reads of it later.
  /// The words of a [Turn.Reply] are the result's message, empty where it has none.
  ///
  /// @param sink takes the events
  /// @throws IllegalStateException while a turn waits for consent
  public Turn call(ToolCall call, Consumer<Event> sink) {
    return inTurn(
        sink,
        () -> {
          goOnAfter(finishCutOff());
          if (state().waiting()) {
            throw new IllegalStateException("a call waits for an answer first");
          }
          return effects.byHand(call);
        });
  }

  /// Goes on with a turn that a crash cut off, or whose requests were answered elsewhere or not in
  /// time; null where there is nothing to go on with.
  public @Nullable Turn resume(Consumer<Event> sink) {
    return inTurn(
        sink,
        () -> {
          Turn unfinished = finishCutOff();
          return unfinished == null && state().waiting() ? advance(Input.Resumed.of()) : unfinished;
        });
  }

  /// The same where nobody listens.
  public @Nullable Turn resume() {
    return resume(event -> {});
  }

  /// How the conversation ends: what runs is cut off where it may be, what waits is denied, and
  /// nothing runs in it any more.
  public Turn hangUp() {
    return hangUp(event -> {});
  }

  /// The same; events are shown there. It is this process that hangs up: another may take the
  /// conversation up again.
  public Turn hangUp(Consumer<Event> sink) {
    checkPlace();
    session.cancel();
    return take(Input.HungUp.of(), sink);
  }

  /// A sentence under an id of the host's own, so that one delivered twice counts once, and how its
  /// turn ends.
  ///
  /// @param sink takes the events; null where nobody listens, so that the model need not stream
  public Turn sayOnce(String id, String text, @Nullable Consumer<Event> sink) {
    return take(new Input.Said(id, text), sink);
  }

  Turn take(Input input, @Nullable Consumer<Event> sink) {
    return inTurn(sink, () -> taken(input));
  }

  private Turn taken(Input input) {
    goOnAfter(finishCutOff());
    if (transcript.isEmpty() && input instanceof Input.Said) {
      started();
      session.events().flush();
      String greeting = filledGreeting();
      if (greeting != null) {
        greeted(greeting);
      }
    }
    return advance(input);
  }

  /// The end of a turn lets the conversation go.
  private void goOnAfter(@Nullable Turn finished) {
    if (finished != null) {
      session.hold(open.seen());
    }
  }

  private void started() {
    if (effects.heard()) {
      effects.show(
          "started",
          new Event.AgentEvent(
              "conversation_started", Json.of(Codec.object().put("conversation", id))));
    }
  }

  /// A turn that has begun in the transcript and not ended in the state was cut off.
  private @Nullable Turn finishCutOff() {
    LoopState state = state();
    Transcript.Begun begun = transcript.begunAfter(state.turn());
    if (begun == null) {
      return null;
    }
    LoopState before = state.waiting() ? state : state.after(begun.turn() - 1);
    return advance(before, new Input.Said(begun.said().input(), begun.said().text()), true);
  }

  /// Other hosts may have begun turns too, but not between a call that waits and its end.
  private Turn advance(Input input) {
    LoopState state = state();
    boolean begunBefore = state.waiting() && !advanced;
    return advance(
        state.waiting() ? state : state.after(session.state().turn()), input, begunBefore);
  }

  /// @param begunBefore whether a process that is gone may have begun the turn
  private Turn advance(LoopState state, Input input, boolean begunBefore) {
    session.events().run(input.id());
    effects.retelling(begunBefore);
    advanced = true;
    Step step = loop.advance(effects, state, input);
    // Before the end is stored: until then it is told again after a crash.
    session.events().flush();
    session.keep(step.state());
    return turn(step);
  }

  private static Turn turn(Step step) {
    LoopState.Last end = step.state().last();
    if (!step.waiting().isEmpty()) {
      return new Turn.Pending(step.waiting());
    }
    if (end == null) {
      StopReason cut = StopReason.CANCELLED;
      return new Turn.Stopped(cut, Sentences.stopped(cut, 0).text());
    }
    return switch (end.reason()) {
      case END_TURN, TOOL_RULE, TERMINAL_RESULT, CONSENT_PENDING -> new Turn.Reply(end.text());
      case MAX_ITERATIONS, MODEL_TIMEOUT, MODEL_ERROR, CANCELLED ->
          new Turn.Stopped(end.reason(), end.text(), end.cause());
    };
  }

  private <T extends @Nullable Object> T inTurn(@Nullable Consumer<Event> sink, Supplier<T> work) {
    checkPlace();
    turnLock.lock();
    try {
      effects.open(sink != null);
      events = sink;
      running = true;
      session.hold(open.seen());
      return work.get();
    } catch (ConversationConflictException e) {
      closeAfter(e);
      throw e;
    } finally {
      session.events().flush();
      running = false;
      events = null;
      release();
    }
  }

  /// Its events after that number, at most so many, in their order; none where they are not logged,
  /// which [ConversationOptions#withLog] says.
  public List<Event.Logged> events(long after, int most) {
    return session.events().after(after, most);
  }

  private void closeAfter(ConversationConflictException conflict) {
    try {
      close();
    } catch (IllegalStateException e) {
      conflict.addSuppressed(e);
    }
  }

  private void release() {
    try {
      session.lease().release();
    } catch (RuntimeException e) {
      // It ends by itself.
      LOG.log(Level.DEBUG, "a conversation is still held", e);
    } finally {
      turnLock.unlock();
    }
  }

  /// Whoever waits for a turn within that turn would wait for ever.
  private void checkPlace() {
    if (turnLock.isHeldByCurrentThread() || Thread.currentThread().equals(showing)) {
      throw new IllegalStateException("a turn cannot begin within another one");
    }
  }

  /// Ends the turn that runs, if one does, from another thread: the model is cut off, calls that
  /// may be cancelled are, the others run to their end, and every call has its result.
  public void cancel() {
    if (running) {
      session.cancelTurn();
    }
  }

  /// The requests for consent that nobody has answered.
  public List<ConsentRequest> waiting() {
    return effects.waiting();
  }

  /// What the model would be offered now, by the rules.
  public Offer offer() {
    return agent.executor().loop().offer(session);
  }

  /// Where the loop stands; while a turn runs, where it stood before.
  public LoopState state() {
    return session.state().loop();
  }

  /// What was said and done so far, as the model would read it.
  public List<Message> history() {
    return transcript.history().messages();
  }

  /// How long another process still holds the conversation, if it does not renew that by going on;
  /// null where none holds it. Until then a turn here ends in a [ConversationConflictException].
  public @Nullable Duration held() {
    return session.lease().held(open.seen());
  }

  /// Closes the conversation; without a store it is forgotten.
  ///
  /// @throws IllegalStateException when results could not be stored, which are lost when this
  ///   process ends
  @Override
  public void close() {
    open.forget(id, this);
    session.close();
  }
}
