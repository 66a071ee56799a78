package dev.switchboard.phone.call;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest.ToolChoice;
import dev.switchboard.phone.call.CallJournal.Offered;
import dev.switchboard.phone.call.PlayoutLedger.Cut;
import dev.switchboard.phone.call.PlayoutLedger.Kind;
import dev.switchboard.phone.call.PlayoutLedger.Source;
import dev.switchboard.phone.call.ResponseSequencer.State;
import dev.switchboard.phone.call.ResponseSequencer.Wanted;
import dev.switchboard.phone.engine.Engine;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.phone.engine.EngineSession;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolDefinition;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The agent's voice on a call: what it says next, what the caller has heard of it, and what
/// becomes of it when the caller speaks.
///
/// For the actor's thread.
final class Voice {
  private static final String TIMED_OUT = "model_timeout";

  private static final Duration STUCK = Duration.ofSeconds(10);
  private static final Duration SILENT = Duration.ofSeconds(30);
  private static final int MOST_AHEAD = 120_000; // milliseconds

  private final CallSession call;
  private final Playout playout;
  private final ResponseSequencer sequencer = new ResponseSequencer();
  private final Map<String, Spoken> spoken = new HashMap<>(); // until they are done and heard
  private @Nullable EngineSession engine;
  private boolean ready;
  private boolean held; // answers wait
  private boolean callerSpeaks;
  private long callerSpoke; // nanos when the engine told so
  private boolean neverSounded = true;
  private String instructions = ""; // of the engine's session
  private List<ToolDefinition> tools = List.of(); // of the engine's session
  private @Nullable Offered offered;
  private Time.Alarm watch = () -> {};

  Voice(CallSession call, Playout playout) {
    this.call = call;
    this.playout = playout;
  }

  // -- the two ends

  /// Goes on with that session.
  void open(EngineSession session, Engine.Setup setup) {
    engine = session;
    instructions = setup.instructions();
    tools = setup.tools();
  }

  /// The engine's session is gone, and what was on the way with it.
  void lost() {
    engine = null;
    ready = false;
    watch.cancel();
    Wanted cutOff = sequencer.free();
    spoken.values().forEach(one -> one.silenced = true);
    if (cutOff != null && !cutOff.aside()) {
      sequencer.answer(cutOff.kind(), cutOff.mayCall(), false);
    }
  }

  void ready() {
    ready = true;
    playout.endTone();
    pump();
  }

  boolean isReady() {
    return ready;
  }

  /// What the next answers are offered and told.
  void offered(Offered now) {
    offered = now;
  }

  void output(String callId, String text) {
    EngineSession session = engine;
    if (session != null) {
      session.output(callId, text);
    }
  }

  void add(Engine.Role role, String text) {
    EngineSession session = engine;
    if (session != null) {
      session.add(new Engine.Item(role, text));
    }
  }

  // -- what is to be said

  /// Wants an answer of the model's.
  void answer(boolean mayCall, boolean whenIdle) {
    sequencer.answer(Kind.ANSWER, mayCall, whenIdle);
    pump();
  }

  /// Wants last words of the model's.
  void farewell() {
    sequencer.answer(Kind.FAREWELL, false, false);
    pump();
  }

  /// Wants words of ours said; nothing where there are none.
  void say(Kind kind, String words, boolean whenIdle) {
    if (!words.isEmpty()) {
      sequencer.say(kind, words, whenIdle);
      pump();
    }
  }

  void giveUpAll() {
    sequencer.giveUpAll();
  }

  void giveUpAnswer() {
    sequencer.giveUpAnswer();
  }

  /// Has answers wait, such as while start tools run, or not.
  void hold(boolean on) {
    held = on;
    pump();
  }

  /// Whether the caller has heard all, and nothing is on the way.
  boolean isIdle() {
    return playout.idle() && !sequencer.isBusy() && !callerSpeaks;
  }

  boolean callerSpeaks() {
    return callerSpeaks;
  }

  boolean isBusy() {
    return sequencer.isBusy();
  }

  /// Whether the caller has not heard anything of the agent yet.
  boolean neverSounded() {
    return neverSounded;
  }

  /// Asks the engine for what comes next, if the way is free.
  void pump() {
    EngineSession session = engine;
    if (session == null || !ready || callerSpeaks || !playout.isConnected()) {
      return;
    }
    Wanted next = sequencer.next(playout.idle(), !held);
    if (next != null) {
      session.create(request(next));
      call.note(
          "response", Codec.object().put("kind", next.kind().word()).put("request", next.id()));
      watch(STUCK, this::stuck);
    }
  }

  private EngineSession.Response request(Wanted wanted) {
    String words = wanted.words();
    if (words != null) {
      String exactly =
          "Say exactly this to the caller, word for word, and nothing else: " + Json.of(words);
      return new EngineSession.Response(wanted.id(), true, exactly, List.of(), ToolChoice.NONE);
    }
    Offered now = offered;
    if (now == null) {
      return new EngineSession.Response(wanted.id(), false, null, null, ToolChoice.AUTO);
    }
    String told = now.instructions().equals(instructions) ? null : now.instructions();
    List<ToolDefinition> open = now.offer().tools().equals(tools) ? null : now.offer().tools();
    ToolChoice choice = wanted.mayCall() ? now.offer().choice() : ToolChoice.NONE;
    return new EngineSession.Response(wanted.id(), false, told, open, choice);
  }

  // -- what the engine does

  /// A response has begun.
  void created(String response, @Nullable String request) {
    Wanted wanted = sequencer.current();
    if (wanted == null || !sequencer.created(response, request)) {
      // Nobody wants it, or not any more.
      cancel(response);
      if (sequencer.unwanted(response)) {
        watch(STUCK, this::stuck);
      }
      return;
    }
    Spoken begun = new Spoken(response, wanted, call.turn());
    if (wanted.words() == null) {
      begun.through(call.screen());
    }
    spoken.put(response, begun);
    if (sequencer.cancelsLate()) {
      cancel(response);
    }
    watch(SILENT, this::silent);
  }

  private void cancel(String response) {
    EngineSession session = engine;
    if (session != null) {
      session.cancel(response);
    }
  }

  void audio(EngineEvent.Audio audio) {
    Spoken of = spoken.get(audio.response());
    if (of == null || of.silenced || !playout.isConnected()) {
      return;
    }
    watch(SILENT, this::silent);
    if (callerSpeaks && of.wanted.kind() != Kind.DISCLOSURE) {
      // It would speak over the caller.
      silence(of, audio.item());
      return;
    }
    Source source =
        new Source(
            audio.response(), audio.item(), audio.content(), of.wanted.kind(), of.wanted.aside());
    if (!of.hasAudio()) {
      neverSounded = false;
      call.figures().sounds(of.wanted.kind());
      call.note("audio", Codec.object().put("kind", of.wanted.kind().word()));
    }
    of.audio(audio.audio().length);
    playout.play(source, audio.audio());
    if (playout.ahead() > MOST_AHEAD) {
      silence(of, null);
    }
  }

  private void silence(Spoken of, @Nullable String unheard) {
    of.silenced = true;
    cancelCurrent();
    EngineSession session = engine;
    if (unheard != null && session != null && !of.wanted.aside()) {
      session.delete(unheard);
    }
  }

  private void cancelCurrent() {
    String id = sequencer.cancel();
    if (id != null) {
      cancel(id);
    }
    if (sequencer.state() == State.CANCEL_SENT) {
      watch(STUCK, this::stuck);
    }
  }

  void words(EngineEvent.Words words) {
    Spoken of = spoken.get(words.response());
    if (of != null && !of.isGuarded()) {
      of.words(words.item(), words.delta());
      guarded(of, of.refusal(words.delta()));
    }
  }

  void spoken(EngineEvent.Spoken all) {
    Spoken of = spoken.get(all.response());
    if (of != null && !of.isGuarded()) {
      of.allWords(all.item(), all.text());
      guarded(of, of.lastRefusal());
      if (!of.isGuarded() && of.wanted.words() == null) {
        call.judge(all.text(), substitute -> guarded(of, substitute));
      }
    }
  }

  /// A guardrail has found something in what is being said.
  private void guarded(Spoken of, @Nullable String substitute) {
    if (substitute != null && !of.isGuarded()) {
      end(List.of(of), substitute);
    }
  }

  /// A guardrail has found something in what the caller said: there is no answer to that.
  void guarded(String substitute) {
    giveUpAnswer();
    end(spoken.values().stream().filter(of -> of.wanted.words() == null).toList(), substitute);
  }

  /// Nothing more of these is heard, and a sentence stands in their place.
  private void end(List<Spoken> guarded, String substitute) {
    for (Spoken of : guarded) {
      of.guard();
      of.silenced = true;
    }
    cutOff(playout.clear());
    if (guarded.stream().anyMatch(this::isCurrent)) {
      cancelCurrent();
    }
    String heard = guarded.stream().map(Spoken::heardText).collect(Collectors.joining(" "));
    call.note("guarded", Codec.object().put("heard", heard.strip()));
    say(Kind.NOTICE, substitute, false);
  }

  void called(EngineEvent.Called called) {
    Spoken of = spoken.get(called.response());
    if (of != null) {
      of.calls.add(called.call());
    }
  }

  /// A response has ended; what it was, null for none of ours.
  @Nullable Spoken done(String response) {
    Wanted wanted = sequencer.done(response);
    Spoken of = spoken.get(response);
    watch.cancel();
    if (of != null) {
      end(of);
    }
    return wanted == null ? null : of;
  }

  /// No more comes of a response.
  private void end(Spoken of) {
    playout.end();
    of.end();
    boolean plays = playout.isPlaying(of.response);
    if (of.isCut() || !plays) {
      tell(of);
    }
    if (!plays) {
      spoken.remove(of.response);
    }
  }

  /// The engine has refused a response.
  void refused(EngineEvent.Refused refusal) {
    if (refusal.code().equals(EngineEvent.Refused.RESPONSE_ACTIVE)) {
      call.note("conflict", Codec.object());
      call.figures().conflict();
      if (sequencer.conflicted(refusal.request())) {
        watch(STUCK, this::stuck);
      }
    } else if (refusal.request() != null) {
      Wanted wanted = sequencer.failed(refusal.request());
      if (wanted != null) {
        call.refused(wanted, refusal.code());
      }
    }
    pump();
  }

  private void watch(Duration patience, Runnable step) {
    watch.cancel();
    watch = call.after(patience, step);
  }

  /// The engine does not answer.
  private void stuck() {
    call.note("stuck", Codec.object());
    sequencer.stuck();
    pump();
  }

  /// A response has begun and says nothing more.
  private void silent() {
    for (Spoken of : List.copyOf(spoken.values())) {
      if (isCurrent(of)) {
        cancel(of.response);
        sequencer.abandon();
        watch(STUCK, this::stuck);
        of.silenced = true;
        of.timedOut = true;
        end(of);
        call.ended(of, EngineEvent.Status.FAILED, TIMED_OUT, ModelReply.Usage.NONE);
      }
    }
  }

  // -- what the caller hears and says

  /// The carrier has played out to that mark.
  void played(String mark) {
    if (!playout.played(mark)) {
      return;
    }
    call.note("mark", Codec.object().put("name", mark));
    for (Spoken of : List.copyOf(spoken.values())) {
      if (!isCurrent(of) && !playout.isPlaying(of.response)) {
        spoken.remove(of.response);
        tell(of);
      }
    }
    call.heard();
    if (callerSpeaks && !isDisclosing()) {
      interrupt();
    }
    pump();
  }

  private void tell(Spoken of) {
    if (of.isToBeTold()) {
      call.line("agent", of.heardText());
    }
  }

  private boolean isCurrent(Spoken of) {
    Wanted current = sequencer.current();
    return current != null && current.id().equals(of.wanted.id());
  }

  /// The caller speaks: what is not heard yet is forgotten, but for what they must hear, and what
  /// comes after that is forgotten when it has been heard.
  ///
  /// @param at nanos when the engine told so
  void speechStarted(long at) {
    callerSpeaks = true;
    callerSpoke = at;
    if (!isDisclosing()) {
      interrupt();
    }
  }

  private boolean isDisclosing() {
    Wanted current = sequencer.current();
    return playout.isPlaying(Kind.DISCLOSURE)
        || current != null && current.kind() == Kind.DISCLOSURE;
  }

  private void interrupt() {
    List<Cut> cuts = playout.clear();
    if (cuts.isEmpty()) {
      return;
    }
    call.figures().cleared(callerSpoke);
    cutOff(cuts);
    Wanted current = sequencer.current();
    if (current != null) {
      spoken.values().stream().filter(this::isCurrent).forEach(of -> of.silenced = true);
      cancelCurrent();
    }
    spoken.values().removeIf(of -> !isCurrent(of));
    call.interrupted();
  }

  /// What was not heard of those is forgotten.
  private void cutOff(List<Cut> cuts) {
    EngineSession session = engine;
    for (Cut cut : cuts) {
      Source source = cut.source();
      Spoken of = spoken.get(source.response());
      if (of != null) {
        of.silenced = true;
        of.cut(cut);
        tell(of);
        if (!source.aside()) {
          call.cut(of);
        }
      }
      if (session != null && !source.aside()) {
        forget(session, cut);
      }
    }
  }

  private void forget(EngineSession session, Cut cut) {
    Source source = cut.source();
    if (cut.heard() == 0) {
      session.delete(source.item());
    } else if (cut.heard() < cut.sent()) {
      session.truncate(source.item(), source.content(), cut.heard());
    }
    call.note(
        "truncated",
        Codec.object()
            .put("item", source.item())
            .put("heard_ms", cut.heard())
            .put("sent_ms", cut.sent()));
  }

  /// The caller is silent again.
  void speechEnded() {
    callerSpeaks = false;
    pump();
  }
}
