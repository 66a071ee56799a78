package dev.switchboard.agent;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.execution.host.HostSession;
import dev.switchboard.execution.host.SeenLeases;
import dev.switchboard.execution.host.TurnRules;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.loop.AgentLoop;
import dev.switchboard.loop.Effects;
import dev.switchboard.loop.Input;
import dev.switchboard.loop.Sentences;
import dev.switchboard.loop.Step;
import dev.switchboard.loop.TranscriptEntry;
import dev.switchboard.model.Message;
import dev.switchboard.rule.StopReason;
import dev.switchboard.state.ConsentAnswer;
import dev.switchboard.state.LoopState;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Runs the turns of a conversation, from the input to the stored end; an interrupted turn is
/// finished first.
///
/// For one thread at a time, except [#state()], [#waiting()] and [#history()].
final class TurnRunner {
  private final String id;
  private final AgentParts agent;
  private final Variables variables;
  private final @Nullable String greeting;
  private final AgentLoop loop;
  private final ToolSession session;
  private final HostSession host;
  private final TurnRules rules;
  private final Transcript transcript;
  private final DirectEffects effects;
  private final CallsByHand byHand;
  private final Effects hostEffects; // these effects as the host wraps them
  private final SeenLeases seen;
  private boolean advanced; // since the conversation was opened here

  /// A runner for the conversation of that id and session.
  ///
  /// @param store where the conversation is stored, null for nowhere
  TurnRunner(
      String id,
      AgentParts agent,
      Variables variables,
      ToolSession session,
      @Nullable ConversationStore store,
      SeenLeases seen,
      UnaryOperator<Effects> wrapping) {
    this.id = id;
    this.agent = agent;
    this.variables = variables;
    this.seen = seen;
    this.session = session;
    host = session.host();
    rules = agent.executor().rules(session);
    String first = agent.firstMessage();
    greeting = first == null ? null : variables.fill(first);
    loop = new AgentLoop(agent.limits().iterations(), agent.denyPending());
    transcript =
        new Transcript(
            session,
            this::isReadOnly,
            store,
            agent.time(),
            store == null && agent.store() != null ? null : agent.memory());
    effects = new DirectEffects(agent, variables, session, transcript);
    byHand = new CallsByHand(agent.executor(), session, transcript, effects.calls());
    hostEffects = wrapping.apply(effects);
    Transcript.Begun latest = transcript.begunAfter(0);
    if (latest != null) {
      host.events().run(latest.said().input());
    }
  }

  private boolean isReadOnly(String name) {
    Tool tool = rules.tool(name);
    return tool != null && tool.definition().mode() == ToolMode.READ;
  }

  /// Sets messages that the model reads first.
  void begin(List<Message> before) {
    transcript.once(
        "before", TranscriptEntry.Called.class, () -> new TranscriptEntry.Called(before));
  }

  /// Sets whether anyone listens to the turn that begins now.
  void setListened(boolean listened) {
    effects.open(listened);
  }

  /// The agent's first message, null if the conversation has begun, or there is none.
  @Nullable String greet() {
    if (greeting == null || !transcript.isEmpty()) {
      return null;
    }
    started();
    effects.show("greeting", new Event.Content(greeting));
    awaitLog();
    greeted(greeting);
    return greeting;
  }

  /// Waits for the event log before messages and effects count as logged: until then they are
  /// logged again after a crash, and when the store recovers.
  ///
  /// @throws RuntimeException the store's, if it did not store all events
  private void awaitLog() {
    check(host.events().flush());
  }

  private static void check(@Nullable RuntimeException lost) {
    if (lost != null) {
      throw lost;
    }
  }

  private void started() {
    if (effects.hasListeners()) {
      effects.show(
          "started",
          new Event.AgentEvent(
              "conversation_started", Json.of(Codec.object().put("conversation", id))));
    }
  }

  private void greeted(String words) {
    transcript.once(
        "greeting", TranscriptEntry.Greeted.class, () -> new TranscriptEntry.Greeted(words));
  }

  /// Runs the turn of that input.
  ///
  /// @throws IllegalArgumentException when its files exceed the conversation's limit
  Turn take(Input input) {
    if (input instanceof Input.Said said) {
      String full = noRoomFor(said.files());
      if (full != null && !state().knows(said.id())) {
        throw new IllegalArgumentException(full);
      }
    }
    Turn finished = finishCutOff();
    if (finished != null && state().knows(input.id())) {
      // It was the turn of this input: the conversation is released and need not be acquired again.
      return finished;
    }
    reacquireAfter(finished);
    if (transcript.isEmpty() && input instanceof Input.Said) {
      // It is stored with the line that begins the conversation.
      started();
      if (greeting != null) {
        greeted(greeting);
      }
    }
    return advance(input);
  }

  /// Runs the turn of that message, whose reply must have that form.
  Turn ask(Input.Said said, ReplyForm form) {
    effects.forms().expect(said.id(), form);
    return take(said.withReply(form.schema()));
  }

  /// The total bytes of the files that the user has sent.
  long fileBytes() {
    return transcript.fileBytes();
  }

  /// A sentence that says why these files exceed the conversation's limit; null if they do not.
  @Nullable String noRoomFor(List<Message.Attachment> files) {
    if (files.isEmpty()) {
      return null;
    }
    long all = transcript.fileBytes() + files.stream().mapToLong(Message.Attachment::size).sum();
    return all <= Message.Attachment.MOST_BYTES_OF_CONVERSATION
        ? null
        : "The files of conversation '%s' would have more than 20 MiB.".formatted(id);
  }

  /// Continues the turn that waits for this answer.
  ///
  /// @throws IllegalArgumentException when no such request waits
  Turn answer(String request, Answer answer) {
    if (waiting().stream().noneMatch(one -> one.id().equals(request))) {
      throw new IllegalArgumentException("no call '" + request + "' waits for consent");
    }
    return byHand.has(request)
        ? byHand.answer(request, answer)
        : take(Input.Answered.of(request, answer));
  }

  /// The outcome of the request, whose answer is stored here if it is open; null if there was no
  /// such request recently.
  ///
  /// @throws IllegalArgumentException when changed arguments are not valid
  @Nullable ConsentAnswer decide(String request, Answer answer) {
    boolean unused = effects.calls().decide(request, answer);
    return session.refresh().answer(request);
  }

  /// Runs a call that a person makes.
  ///
  /// @param by who acts for the principal, null for the principal
  /// @throws IllegalStateException while a turn waits for consent
  Turn call(ToolCall call, @Nullable String by) {
    reacquireAfter(finishCutOff());
    if (state().waiting()) {
      throw new IllegalStateException("a call waits for an answer first");
    }
    return byHand.run(call, by);
  }

  /// Continues the turn that was interrupted, or answered elsewhere; null if there is none.
  @Nullable Turn resume() {
    byHand.settleDecided(!state().waiting() && !isCutOff());
    Turn unfinished = finishCutOff();
    return unfinished == null && state().waiting() ? advance(Input.Resumed.of()) : unfinished;
  }

  /// Logs that an input is refused, and why.
  void refuse(String input, String sentence) {
    effects.show(
        "input/" + input + "/refused", new Event.Failed(sentence, "input_refused", Map.of()));
    awaitLog();
  }

  /// Ends the waiting turn in the name of this person; null if none waits. A waiting call that a
  /// person made is denied too.
  @Nullable Turn cancelWaiting(String by) {
    if (state().waiting()) {
      return take(Input.Cancelled.of(by));
    }
    Answer deny = Answer.deny("it was cancelled").by(by);
    waiting().forEach(request -> byHand.answer(request.id(), deny));
    return null;
  }

  /// Whether a turn has begun in the transcript and not ended in the state.
  boolean isCutOff() {
    return transcript.begunAfter(state().turn()) != null;
  }

  /// Whether a turn has begun and not ended, as far as is known.
  boolean mayBeCutOff() {
    return isCutOff() || transcript.isUnsure();
  }

  private void reacquireAfter(@Nullable Turn finished) {
    if (finished != null) {
      reacquire();
    }
  }

  /// Finds out whether a message was stored whose write has failed. Gives a result to the calls of
  /// a person, or of a live line, whose process has died, and ends the turn of that line: those of
  /// a turn of the loop are made again with it.
  void settleLeft() {
    transcript.makeSure();
    if (host.lease().isTakenOver() && !isCutOff() && !state().waiting()) {
      TranscriptEntry.Said said = transcript.said();
      byHand.settled(rules.settleLeft(said == null ? null : "user/" + said.input()));
      endLeft();
    }
  }

  /// Ends the turn that a live line has begun and not ended.
  private void endLeft() {
    LoopState at = state();
    if (at.last() == null && transcript.find(at.turnKey("input")) != null) {
      TranscriptEntry.Closed cancelled = TranscriptEntry.Closed.of(StopReason.CANCELLED, "");
      host.storeLoop(AgentLoop.end(effects, at, cancelled));
    }
  }

  /// Takes the conversation again, which the end of a turn has released.
  void reacquire() {
    host.acquire(seen);
    host.forgetCancelledTurn();
  }

  /// Finishes a turn that has begun in the transcript and not ended in the state.
  private @Nullable Turn finishCutOff() {
    LoopState state = state();
    Transcript.Begun begun = transcript.begunAfter(state.turn());
    if (begun == null) {
      return null;
    }
    LoopState before = state.waiting() ? state : state.after(begun.turn() - 1);
    TranscriptEntry.Said said = begun.said();
    Input input =
        new Input.Said(
            said.input(), said.text(), said.run(), said.files(), said.reply(), said.by());
    return advance(before, input, true);
  }

  /// Continues from an input. Other hosts may have begun turns too, but not between a waiting call
  /// and its end.
  private Turn advance(Input input) {
    LoopState state = state();
    boolean begunBefore = state.waiting() && !advanced;
    return advance(
        state.waiting() ? state : state.after(session.state().turn()), input, begunBefore);
  }

  /// @param begunBefore whether a dead process may have begun the turn
  private Turn advance(LoopState state, Input input, boolean begunBefore) {
    effects.replaying(begunBefore);
    advanced = true;
    host.lease().setResumable(true);
    try {
      Step step = loop.advance(hostEffects, state, input);
      check(host.events().gather());
      host.endTurn(step.state());
      transcript.indexMessages();
      return turn(step);
    } finally {
      host.lease().setResumable(false);
    }
  }

  private static Turn turn(Step step) {
    LoopState.Last end = step.state().last();
    if (!step.waiting().isEmpty()) {
      return new Turn.Pending(step.waiting());
    }
    if (end == null) {
      // A hang-up before the first turn, or a repeated input whose requests are no longer open.
      StopReason cut = StopReason.CANCELLED;
      return new Turn.Stopped(cut, Sentences.stopped(cut, 0).text());
    }
    return switch (end.reason()) {
      // CONSENT_PENDING is the reason in events of a turn that waits, never the end of one.
      case END_TURN, TOOL_RULE, TERMINAL_RESULT, CONSENT_PENDING -> new Turn.Reply(end.text());
      case MAX_ITERATIONS, MODEL_TIMEOUT, MODEL_ERROR, INVALID_REPLY, BUDGET, CANCELLED ->
          new Turn.Stopped(end.reason(), end.text(), end.cause(), end.faults());
    };
  }

  /// Opens the conversation for a host that drives the model, after an interrupted turn was closed:
  /// its model was lost with its line.
  LiveSession live(Runnable onClose) {
    return new LiveSession(agent, variables, session, transcript, effects, seen, onClose);
  }

  /// The state of the loop; while a turn runs, the state before it.
  LoopState state() {
    return session.state().loop();
  }

  /// The requests for consent that no one has answered.
  List<ConsentRequest> waiting() {
    return rules.open();
  }

  /// The messages so far, as the model would read them.
  List<Message> history() {
    return transcript.history().messages();
  }
}
