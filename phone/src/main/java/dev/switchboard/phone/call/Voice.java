package dev.switchboard.phone.call;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.model.ModelRequest.ToolChoice;
import dev.switchboard.phone.call.CallJournal.Offered;
import dev.switchboard.phone.call.PlayoutLedger.Cut;
import dev.switchboard.phone.call.PlayoutLedger.Kind;
import dev.switchboard.phone.call.PlayoutLedger.Out;
import dev.switchboard.phone.call.PlayoutLedger.Source;
import dev.switchboard.phone.call.ResponseSequencer.State;
import dev.switchboard.phone.call.ResponseSequencer.Wanted;
import dev.switchboard.phone.carrier.Line;
import dev.switchboard.phone.engine.Engine;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.phone.engine.EngineSession;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolDefinition;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The agent's voice on a call: what it says next, what the caller has heard of it, and what
/// becomes of it when the caller speaks.
///
/// For the actor's thread.
final class Voice {
  private static final Duration STUCK = Duration.ofSeconds(10);
  private static final Duration SILENT = Duration.ofSeconds(30);
  private static final int MOST_AHEAD = 120_000; // milliseconds

  private final CallSession call;
  private final PlayoutLedger ledger = new PlayoutLedger();
  private final ResponseSequencer sequencer = new ResponseSequencer();
  private final Map<String, Spoken> spoken = new HashMap<>(); // until they are done and heard
  private @Nullable Line line;
  private @Nullable EngineSession engine;
  private boolean ready;
  private boolean held; // answers wait
  private boolean callerSpeaks;
  private String instructions = ""; // of the engine's session
  private List<ToolDefinition> tools = List.of(); // of the engine's session
  private @Nullable Offered offered;
  private Time.Alarm watch = () -> {};
  private long audible; // nanos when the caller last heard the agent, or will have

  Voice(CallSession call) {
    this.call = call;
    audible = call.nanos();
  }

  // -- the two ends

  void connect(Line connected) {
    line = connected;
  }

  void disconnect() {
    line = null;
    List<Cut> unused = ledger.clear();
  }

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
    pump();
  }

  boolean isReady() {
    return ready;
  }

  /// What the next answers are offered and told.
  void offered(Offered now) {
    offered = now;
  }

  void hear(byte[] audio) {
    EngineSession session = engine;
    if (session != null) {
      session.hear(audio);
    }
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

  /// Wants words of ours said; their id.
  String say(Kind kind, String words, boolean whenIdle) {
    String id = sequencer.say(kind, words, whenIdle);
    pump();
    return id;
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
    return ledger.idle() && !sequencer.isBusy() && !callerSpeaks;
  }

  /// Whether the caller has heard all that was sent.
  boolean allHeard() {
    return ledger.idle();
  }

  boolean callerSpeaks() {
    return callerSpeaks;
  }

  boolean isBusy() {
    return sequencer.isBusy();
  }

  /// When the caller heard the agent last.
  long audible() {
    return ledger.idle() ? audible : call.nanos();
  }

  /// Asks the engine for what comes next, if the way is free.
  void pump() {
    EngineSession session = engine;
    if (session == null || !ready || callerSpeaks || line == null) {
      return;
    }
    Wanted next = sequencer.next(ledger.idle(), !held);
    if (next != null) {
      session.create(request(next));
      call.note(
          "response", Codec.object().put("kind", next.kind().name()).put("request", next.id()));
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
      sequencer.unwanted(response);
      watch(STUCK, this::stuck);
      return;
    }
    spoken.put(response, new Spoken(response, wanted, call.turn()));
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
    Line out = line;
    if (of == null || of.silenced || out == null) {
      return;
    }
    watch(SILENT, this::silent);
    if (callerSpeaks) {
      // It would speak over the caller.
      silence(of, audio.item());
      return;
    }
    Source source =
        new Source(
            audio.response(), audio.item(), audio.content(), of.wanted.kind(), of.wanted.aside());
    if (!of.hasAudio()) {
      call.firstAudio(of.wanted.kind());
    }
    of.audio(audio.audio().length);
    send(out, ledger.play(source, audio.audio()));
    if (ledger.ahead() > MOST_AHEAD) {
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

  private static void send(Line out, List<Out> pieces) {
    for (Out piece : pieces) {
      switch (piece) {
        case Out.Media(byte[] audio) -> out.play(audio);
        case Out.Mark(String name) -> out.mark(name);
      }
    }
  }

  void words(EngineEvent.Words words) {
    Spoken of = spoken.get(words.response());
    if (of != null) {
      of.words(words.item(), words.delta());
    }
  }

  void spoken(EngineEvent.Spoken all) {
    Spoken of = spoken.get(all.response());
    if (of != null) {
      of.allWords(all.item(), all.text());
    }
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
    Line out = line;
    if (out != null) {
      send(out, ledger.end());
    }
    if (of != null) {
      of.end();
      if (of.isCut() || !ledger.isPlaying(response)) {
        tell(of);
      }
      if (!ledger.isPlaying(response)) {
        spoken.remove(response);
      }
    }
    return wanted == null ? null : of;
  }

  /// The engine has refused a response.
  void refused(EngineEvent.Refused refusal) {
    if (refusal.code().equals(EngineEvent.Refused.RESPONSE_ACTIVE)) {
      call.note("conflict", Codec.object());
      if (sequencer.conflicted(refusal.request())) {
        watch(STUCK, this::stuck);
      }
    } else if (refusal.request() != null) {
      Wanted wanted = sequencer.failed(refusal.request());
      if (wanted != null) {
        call.failed(wanted, refusal.code());
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
    Wanted wanted = sequencer.current();
    cancelCurrent();
    if (wanted != null) {
      call.failed(wanted, "model_timeout");
    }
  }

  // -- what the caller hears and says

  /// The carrier has played out to that mark.
  void played(String mark) {
    if (!ledger.played(mark)) {
      return;
    }
    audible = call.nanos();
    for (Spoken of : List.copyOf(spoken.values())) {
      if (!isCurrent(of) && !ledger.isPlaying(of.response)) {
        spoken.remove(of.response);
        tell(of);
      }
    }
    call.heard();
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

  /// The caller speaks: what is not heard yet is forgotten.
  ///
  /// @param cutReply takes each reply of which a part was not heard
  void speechStarted(Consumer<Spoken> cutReply) {
    callerSpeaks = true;
    Line out = line;
    if (ledger.idle() || out == null) {
      return;
    }
    out.clear();
    EngineSession session = engine;
    for (Cut cut : ledger.clear()) {
      Source source = cut.source();
      Spoken of = spoken.get(source.response());
      if (of != null) {
        of.silenced = true;
        of.cut(cut);
        tell(of);
        if (!source.aside()) {
          cutReply.accept(of);
        }
      }
      if (session != null && !source.aside()) {
        forget(session, cut);
      }
    }
    Wanted current = sequencer.current();
    if (current != null) {
      spoken.values().stream().filter(this::isCurrent).forEach(of -> of.silenced = true);
      cancelCurrent();
    }
    spoken.values().removeIf(of -> !isCurrent(of));
    audible = call.nanos();
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

  /// Ends the line's audio.
  void closeLine(int code, String reason) {
    Line out = line;
    line = null;
    if (out != null) {
      out.close(code, reason);
    }
  }
}
