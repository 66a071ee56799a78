package dev.switchboard.agent;

import dev.switchboard.execution.ToolSession;
import dev.switchboard.execution.host.TurnRules;
import dev.switchboard.loop.AgentLoop;
import dev.switchboard.loop.Exhausted;
import dev.switchboard.loop.Input;
import dev.switchboard.loop.Sentences;
import dev.switchboard.loop.TranscriptEntry;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.rule.StopReason;
import dev.switchboard.ruling.LoopDecision;
import dev.switchboard.ruling.RoundEnd;
import dev.switchboard.state.LoopState;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The latest turn of a live session: its requests, rounds and notes, and the lines that they
/// leave.
///
/// For one thread at a time.
final class LiveTurn {
  private static final String UNFINISHED = "The tool is still at work; what comes of it follows.";

  private final AgentParts agent;
  private final ToolSession session;
  private final TurnRules rules;
  private final Transcript transcript;
  private final DirectEffects effects;
  private LoopState at;
  private boolean running;
  private @Nullable String substitute; // what a guardrail says instead of a reply
  private @Nullable LiveRequest request; // the latest
  private TranscriptEntry.@Nullable Replied reply; // of a round that has not ended
  private TranscriptEntry.@Nullable Failed failure; // of the latest request
  private @Nullable Exhausted exhausted; // the limit that the latest request would exceed
  private List<Message> own = List.of();
  private int notes;

  LiveTurn(AgentParts agent, ToolSession session, Transcript transcript, DirectEffects effects) {
    this.agent = agent;
    this.session = session;
    rules = agent.executor().rules(session);
    this.transcript = transcript;
    this.effects = effects;
    at = session.state().loop();
  }

  /// Its sentence, in place of a request that the budget does not allow.
  static final class OverBudget implements LiveSession.Request {
    private final String sentence;
    private volatile boolean cancelled;

    private OverBudget(Exhausted limit) {
      sentence = Sentences.exhausted(limit).text();
    }

    @Override
    public LiveSession.Outcome reply(Consumer<String> words) {
      if (cancelled) {
        return new LiveSession.Outcome.Failed(StopReason.CANCELLED);
      }
      words.accept(sentence);
      return new LiveSession.Outcome.Replied(ModelReply.text(sentence));
    }

    @Override
    public void cancel() {
      cancelled = true;
    }
  }

  /// Begins the next turn, after the end of this one.
  ///
  /// @return the results of the start tools
  List<ToolResult> begin(String id, String words) {
    end(StopReason.END_TURN, "");
    at = at.after(session.state().turn()).withInput(id).nextTurn();
    running = true;
    failure = null;
    exhausted = null;
    own = List.of();
    // Stored before the first line, so that no other process continues the turn after a crash.
    session.host().storeLoop(at);
    substitute = effects.begin(at.turnKey("input"), new Input.Said(id, words)).refusal();
    if (substitute != null) {
      return List.of();
    }
    List<ToolResult> started = new ArrayList<>(rules.begin());
    started.addAll(rules.callDue());
    own = effects.ownCalls(at.turnKey("start"));
    return started;
  }

  int number() {
    return at.turn();
  }

  int round() {
    return at.round();
  }

  boolean isRunning() {
    return running;
  }

  /// What a guardrail says instead of a reply to its message, null if the message passes.
  @Nullable String substitute() {
    return substitute;
  }

  /// The calls that the runtime has made at its beginning or its end.
  List<Message> ownCalls() {
    return own;
  }

  /// Builds the request of its next round.
  ///
  /// @param calls counts the request while it runs
  LiveSession.Request request(boolean mayCall, Executor journal, RunningCalls calls) {
    checkRunning();
    leaveRound();
    leaveRequest();
    Exhausted limit = effects.exceeded();
    exhausted = limit;
    if (limit != null) {
      return new OverBudget(limit);
    }
    LoopState next = at.inRound(at.round() + 1);
    RequestBuilder.Wanted wanted =
        new RequestBuilder.Wanted(
            next.roundKey("model"),
            null,
            mayCall && next.round() <= agent.limits().iterations(),
            session.host().events()::show);
    ModelTurn.Asking asking = effects.model().build(wanted, next.turn());
    LiveRequest built =
        new LiveRequest(asking, session.host(), calls, journal, () -> isNext(wanted.key()));
    request = built;
    return built;
  }

  /// Whether that is the key of a request of the next round.
  private boolean isNext(String key) {
    return running && at.inRound(at.round() + 1).roundKey("model").equals(key);
  }

  private void checkRunning() {
    if (!running) {
      throw new IllegalStateException("a reply belongs to a turn, and none has begun");
    }
  }

  /// Stores a reply, as its next round.
  ///
  /// @param from the request, null if the host's model has replied
  List<ToolCall> replied(ModelReply said, LiveSession.@Nullable Request from) {
    checkRunning();
    if (from instanceof LiveRequest asked) {
      asked.checkAnswered();
    }
    leaveRound();
    at = at.inRound(at.round() + 1);
    String key = at.roundKey("model");
    TranscriptEntry.Replied stored =
        transcript.find(key) instanceof TranscriptEntry.Replied before
            ? before
            : effects.written(key, line(said, from));
    reply = stored.reply().calls().isEmpty() ? null : stored;
    return stored.calls();
  }

  private TranscriptEntry.Replied line(ModelReply said, LiveSession.@Nullable Request from) {
    return switch (from) {
      case LiveRequest asked -> asked.line(effects.model(), said, at);
      case OverBudget unasked -> effects.model().line(said, at.turn(), at.round());
      case null -> effects.model().line(said, at.turn(), at.round());
    };
  }

  /// Stores that a request has no reply, as its next round; without effect if it was not asked, or
  /// the turn has ended.
  void failed(LiveSession.Request from) {
    if (running && from instanceof LiveRequest asked && asked.isToBeStored()) {
      leaveRound();
      at = at.inRound(at.round() + 1);
      failure = effects.written(at.roundKey("model"), asked.line());
    }
  }

  /// Stores what the latest request has used, if the host has not said what became of it.
  private void leaveRequest() {
    LiveRequest left = request;
    request = null;
    if (left != null) {
      left.cancel();
      if (left.hasUsed()) {
        failed(left);
      }
    }
  }

  /// Ends a round of the turn; without effect if it has ended.
  ///
  /// @return what asks to end the turn, null for nothing
  RoundEnd.@Nullable Exit endRound(int turn, int round, List<ToolResult> results) {
    return reply == null || at.turn() != turn || at.round() != round ? null : endRound(results);
  }

  private RoundEnd.@Nullable Exit endRound(List<ToolResult> results) {
    TranscriptEntry.Replied replied = Objects.requireNonNull(reply);
    reply = null;
    RoundEnd.Exit exit = rules.exit(replied.reply().calls(), results);
    LoopDecision decision =
        exit == null
            ? new LoopDecision.Continue(List.of())
            : new LoopDecision.Exit(exit.reason(), List.of(), exit.message(), exit.said());
    effects.endRound(at.roundKey("end"), replied, results, decision);
    return exit;
  }

  /// Ends the open round with the results so far.
  private void leaveRound() {
    TranscriptEntry.Replied replied = reply;
    if (replied != null) {
      RoundEnd.Exit unused =
          endRound(replied.calls().stream().map(this::resultOrUnfinished).toList());
    }
  }

  private ToolResult resultOrUnfinished(ToolCall call) {
    ToolResult result = session.result(call.id());
    return result == null
        ? ToolResult.builder(false).callId(call.id()).error(UNFINISHED).text(UNFINISHED).build()
        : result;
  }

  /// Records a message of the user that the host has made.
  void note(String words) {
    notes++;
    transcript.once(
        at.turnKey("note" + notes),
        TranscriptEntry.Called.class,
        () -> new TranscriptEntry.Called(List.of(new Message.User(words))));
  }

  /// Calls the tools that are still required and need no arguments; returns the names of those that
  /// are still unmet.
  List<String> finish() {
    List<String> unmet = rules.finish();
    own = effects.ownCalls(at.turnKey("finish"));
    return unmet;
  }

  /// Cancels the running calls whose tools allow it, and denies the waiting requests.
  void hangUp() {
    effects.hangUp(at.turnKey("hang_up"));
  }

  /// Ends it, if it runs.
  ///
  /// @param text its last text
  void end(StopReason reason, String text) {
    if (!running) {
      return;
    }
    leaveRound();
    leaveRequest();
    running = false;
    at = AgentLoop.end(effects, at, closing(reason, text));
    session.host().storeLoop(at);
  }

  /// A turn whose last request the budget did not allow ends for that reason.
  private TranscriptEntry.Closed closing(StopReason reason, String text) {
    Exhausted limit = exhausted;
    if (limit != null && reason == StopReason.END_TURN) {
      return Sentences.exhausted(limit);
    }
    TranscriptEntry.Failed failed = failure;
    return failed == null || failed.reason() != reason
        ? TranscriptEntry.Closed.of(reason, text)
        : new TranscriptEntry.Closed(reason, text, failed.cause(), List.of());
  }
}
