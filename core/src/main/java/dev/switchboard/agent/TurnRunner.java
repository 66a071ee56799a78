package dev.switchboard.agent;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationLease;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ToolSession;
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
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Runs the turns of a conversation, from the input to the end that is stored; before each, what a
/// crash cut off.
///
/// For one thread at a time, but for [#state()], [#waiting()] and [#history()].
final class TurnRunner {
  private final String id;
  private final AgentParts agent;
  private final Variables variables;
  private final @Nullable String greeting;
  private final AgentLoop loop;
  private final ToolSession session;
  private final Transcript transcript;
  private final DirectEffects effects;
  private final Effects ofHost; // the same, as the host has them
  private final ConversationLease.Seen seen;
  private boolean advanced; // since the conversation was opened here

  /// A runner for the conversation of that id and session.
  ///
  /// @param store where the conversation is kept, null for nowhere
  TurnRunner(
      String id,
      AgentParts agent,
      Variables variables,
      ToolSession session,
      @Nullable ConversationStore store,
      ConversationLease.Seen seen,
      UnaryOperator<Effects> host) {
    this.id = id;
    this.agent = agent;
    this.variables = variables;
    this.seen = seen;
    this.session = session;
    String first = agent.firstMessage();
    greeting = first == null ? null : variables.fill(first);
    loop = new AgentLoop(agent.limits().iterations(), agent.denyPending());
    transcript =
        new Transcript(
            session,
            agent.limits().history(),
            store,
            agent.time(),
            store == null && agent.store() != null ? null : agent.memory());
    effects = new DirectEffects(agent, variables, session, transcript);
    ofHost = host.apply(effects);
    Transcript.Begun latest = transcript.begunAfter(0);
    if (latest != null) {
      session.events().run(latest.said().input());
    }
  }

  /// Lets the model read that before all else.
  void begin(List<Message> before) {
    transcript.once(
        "before", TranscriptEntry.Called.class, () -> new TranscriptEntry.Called(before));
  }

  /// Says whether somebody listens to the turn that begins now.
  void heard(boolean heard) {
    effects.open(heard);
  }

  /// The agent's first words, null where the conversation has begun, or there are none.
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

  /// Before what was said or done is taken as told: until then it is told again after a crash, and
  /// when the store can be written again.
  ///
  /// @throws RuntimeException what the store threw, where it did not take all that was told
  private void awaitLog() {
    check(session.events().flush());
  }

  private static void check(@Nullable RuntimeException lost) {
    if (lost != null) {
      throw lost;
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

  private void greeted(String words) {
    transcript.once(
        "greeting", TranscriptEntry.Greeted.class, () -> new TranscriptEntry.Greeted(words));
  }

  /// How the turn of that input comes to rest.
  ///
  /// @throws IllegalArgumentException when the conversation has no room for its files
  Turn take(Input input) {
    if (input instanceof Input.Said said && !state().knows(said.id())) {
      String full = noRoomFor(said.files());
      if (full != null) {
        throw new IllegalArgumentException(full);
      }
    }
    Turn finished = finishCutOff();
    if (finished != null && state().knows(input.id())) {
      // It was the turn of this input: the conversation is let go, and not taken again for nothing.
      return finished;
    }
    goOnAfter(finished);
    if (transcript.isEmpty() && input instanceof Input.Said) {
      started();
      awaitLog();
      if (greeting != null) {
        greeted(greeting);
      }
    }
    return advance(input);
  }

  /// How the turn of that sentence comes to rest, whose reply is to be of that form.
  Turn ask(Input.Said said, ReplyForm form) {
    effects.forms().expect(said.id(), form);
    return take(said.withReply(form.schema()));
  }

  /// How many bytes the files have together that the user has shown.
  long fileBytes() {
    return transcript.fileBytes();
  }

  /// Why these files are too many for the conversation, a sentence; null where they are not.
  @Nullable String noRoomFor(List<Message.Attachment> files) {
    long all = transcript.fileBytes() + files.stream().mapToLong(Message.Attachment::size).sum();
    return files.isEmpty() || all <= Message.Attachment.MOST_BYTES_OF_CONVERSATION
        ? null
        : "The files of conversation '%s' would have more than 20 MiB.".formatted(id);
  }

  /// How the turn comes to rest that waited for this answer.
  ///
  /// @throws IllegalArgumentException when no such request waits
  Turn answer(String request, Answer answer) {
    if (waiting().stream().noneMatch(one -> one.id().equals(request))) {
      throw new IllegalArgumentException("no call '" + request + "' waits for consent");
    }
    return effects.isByHand(request)
        ? effects.answerByHand(request, answer)
        : take(Input.Answered.of(request, answer));
  }

  /// What became of the request, whose answer is kept here if it is open; null where there was no
  /// such request lately.
  ///
  /// @throws IllegalArgumentException when the arguments put in are not good ones
  @Nullable ConsentAnswer decide(String request, Answer answer) {
    boolean unused = effects.decide(request, answer);
    return session.refresh().answer(request);
  }

  /// How a call comes to rest that a person makes.
  ///
  /// @throws IllegalStateException while a turn waits for consent
  Turn call(ToolCall call) {
    goOnAfter(finishCutOff());
    if (state().waiting()) {
      throw new IllegalStateException("a call waits for an answer first");
    }
    return effects.byHand(call);
  }

  /// How the turn comes to rest that was cut off, or answered elsewhere; null where there is none.
  @Nullable Turn resume() {
    effects.carryOutByHand(!state().waiting() && !isCutOff());
    Turn unfinished = finishCutOff();
    return unfinished == null && state().waiting() ? advance(Input.Resumed.of()) : unfinished;
  }

  /// Tells that an input cannot be taken, and why.
  void refuse(String input, String sentence) {
    effects.show(
        "input/" + input + "/refused", new Event.Failed(sentence, "input_refused", Map.of()));
    awaitLog();
  }

  /// How the turn comes to rest that waited, and that this person ends; null where none did. A call
  /// that a person made and that waits is denied too.
  @Nullable Turn cancelWaiting(String by) {
    if (state().waiting()) {
      return take(Input.Cancelled.of(by));
    }
    Answer deny = Answer.deny("it was cancelled").by(by);
    waiting().forEach(request -> effects.answerByHand(request.id(), deny));
    return null;
  }

  /// Whether a turn has begun in the transcript that has not ended in the state.
  boolean isCutOff() {
    return transcript.begunAfter(state().turn()) != null;
  }

  private void goOnAfter(@Nullable Turn finished) {
    if (finished != null) {
      goOn();
    }
  }

  /// Takes hold of the conversation again, which the end of a turn has let go.
  void goOn() {
    session.hold(seen);
    session.forgetCancelledTurn();
  }

  /// A turn that has begun in the transcript and not ended in the state was cut off.
  private @Nullable Turn finishCutOff() {
    LoopState state = state();
    Transcript.Begun begun = transcript.begunAfter(state.turn());
    if (begun == null) {
      return null;
    }
    LoopState before = state.waiting() ? state : state.after(begun.turn() - 1);
    TranscriptEntry.Said said = begun.said();
    Input input = new Input.Said(said.input(), said.text(), said.run(), said.files(), said.reply());
    return advance(before, input, true);
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
    effects.retelling(begunBefore);
    advanced = true;
    Step step = loop.advance(ofHost, state, input);
    check(session.events().gather());
    session.keep(step.state());
    transcript.putAway();
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
      case MAX_ITERATIONS, MODEL_TIMEOUT, MODEL_ERROR, INVALID_REPLY, CANCELLED ->
          new Turn.Stopped(end.reason(), end.text(), end.cause(), end.faults());
    };
  }

  /// The conversation in the hands of a host that drives the model itself, after the end of what a
  /// crash cut off: its model has gone with its line.
  LiveSession live(Runnable onClose) {
    return new LiveSession(agent, variables, session, transcript, effects, onClose);
  }

  /// Where the loop stands; while a turn runs, where it stood before.
  LoopState state() {
    return session.state().loop();
  }

  /// The requests for consent that no one has answered.
  List<ConsentRequest> waiting() {
    return effects.waiting();
  }

  /// What was said and done so far, as the model would read it.
  List<Message> history() {
    return transcript.history().messages();
  }
}
