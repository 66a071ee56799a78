package dev.switchboard.phone.call;

import dev.switchboard.json.Codec;
import dev.switchboard.model.ModelReply;
import dev.switchboard.phone.call.PlayoutLedger.Cut;
import dev.switchboard.phone.call.PlayoutLedger.Kind;
import dev.switchboard.phone.call.PlayoutLedger.Source;
import dev.switchboard.phone.call.ResponseSequencer.State;
import dev.switchboard.phone.call.ResponseSequencer.Wanted;
import dev.switchboard.phone.engine.Engine;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.phone.engine.EngineSession;
import dev.switchboard.rule.StopReason;
import dev.switchboard.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The agent's speech on a call: what it says next, what the caller has heard, and what happens
/// when the caller speaks.
///
/// For the actor's thread.
final class Voice {
  private static final String TIMED_OUT = StopReason.MODEL_TIMEOUT.word();

  private static final Duration STUCK = Duration.ofSeconds(10);
  private static final Duration SILENT = Duration.ofSeconds(30);
  private static final int MOST_AHEAD = 120_000; // milliseconds

  private final CallContext call;
  private final Playout playout;
  private final EngineSide engine;
  private final TurnFigures figures;
  private final CallJournal journal;
  private final SpeechWatcher watcher;
  private final ResponseSequencer sequencer = new ResponseSequencer();
  private final Map<String, Spoken> spoken = new HashMap<>(); // until ended and heard
  private boolean ready;
  private boolean held; // answers wait
  private boolean callerSpeaks;
  private long callerSpoke; // nanos when the engine reported it
  private boolean neverSounded = true;
  private Time.Alarm watch = Time.Alarm.NONE;
  private long stirred; // nanos of the last sign of the active response

  Voice(
      CallContext call,
      Playout playout,
      EngineSide engine,
      TurnFigures figures,
      CallJournal journal,
      SpeechWatcher watcher) {
    this.call = call;
    this.playout = playout;
    this.engine = engine;
    this.figures = figures;
    this.journal = journal;
    this.watcher = watcher;
  }

  /// The audio to the caller.
  Playout playout() {
    return playout;
  }

  /// The figures of the turn.
  TurnFigures figures() {
    return figures;
  }

  // Sessions.

  /// Continues with that session.
  void open(EngineSession session, Engine.Setup setup) {
    engine.open(session, setup);
  }

  /// The next session is opened with the current transcript, which contains everything that was
  /// added.
  void forgetUnsent() {
    engine.forgetUnsent();
  }

  /// The engine's session is lost, with its active response.
  void lost() {
    engine.close();
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

  // Requests.

  /// Requests an answer of the model.
  void answer(boolean mayCall, boolean whenIdle) {
    sequencer.answer(Kind.ANSWER, mayCall, whenIdle);
    pump();
  }

  /// Requests the model's last words.
  void farewell() {
    sequencer.answer(Kind.FAREWELL, false, false);
    pump();
  }

  /// Requests words of the runtime; without effect if they are empty.
  void say(Kind kind, String words, boolean whenIdle) {
    if (!words.isEmpty()) {
      sequencer.say(kind, words, whenIdle);
      pump();
    }
  }

  /// Whether these words are queued or being spoken.
  boolean isToSay(String words) {
    return sequencer.isToSay(words);
  }

  void giveUpAll() {
    sequencer.giveUpAll();
  }

  void giveUpAnswer() {
    sequencer.giveUpAnswer();
  }

  /// Delays answers, such as while start tools run, or no longer does.
  void hold(boolean on) {
    held = on;
    pump();
  }

  /// Whether the caller has heard everything, and nothing is active.
  boolean isIdle() {
    return playout.idle() && !sequencer.isBusy() && !callerSpeaks;
  }

  boolean callerSpeaks() {
    return callerSpeaks;
  }

  boolean isBusy() {
    return sequencer.isBusy();
  }

  /// Whether the caller has heard nothing of the agent yet.
  boolean neverSounded() {
    return neverSounded;
  }

  /// Requests the next response, if none is active.
  void pump() {
    boolean quiet = callerSpeaks || !playout.isConnected() || call.isOver();
    if (!engine.isOpen() || !ready || quiet) {
      return;
    }
    Wanted next = sequencer.next(playout.idle(), !held);
    if (next != null) {
      engine.create(next);
      call.note(
          "response", Codec.object().put("kind", next.kind().word()).put("request", next.id()));
      watch(STUCK, this::stuck);
    }
  }

  // Events of the engine.

  /// A response has begun.
  void created(String response, @Nullable String request) {
    Wanted wanted = sequencer.current();
    if (wanted == null || !sequencer.created(response, request)) {
      // It was not requested, or is no longer wanted.
      engine.cancel(response);
      if (sequencer.unwanted(response)) {
        watch(STUCK, this::stuck);
      }
      return;
    }
    Spoken begun = new Spoken(response, wanted, watcher.turn());
    if (wanted.words() == null) {
      begun.through(journal.screen());
    }
    spoken.put(response, begun);
    if (sequencer.cancelsLate()) {
      engine.cancel(response);
    }
    stirred = call.nanos();
    watch(SILENT, this::silent);
  }

  void audio(EngineEvent.Audio audio) {
    Spoken of = spoken.get(audio.response());
    if (of == null || of.silenced || of.isOver() || !playout.isConnected()) {
      return;
    }
    alive(of);
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
      watcher.sounds(of.wanted);
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
    if (unheard != null && !of.wanted.aside()) {
      engine.delete(unheard);
    }
  }

  private void cancelCurrent() {
    String id = sequencer.cancel();
    if (id != null) {
      engine.cancel(id);
    }
    if (sequencer.state() == State.CANCEL_SENT) {
      watch(STUCK, this::stuck);
    }
  }

  void words(EngineEvent.Words words) {
    Spoken of = spoken.get(words.response());
    if (of != null && !of.isGuarded()) {
      alive(of);
      of.words(words.item(), words.delta());
      guarded(of, of.refusal(words.delta()));
    }
  }

  void spoken(EngineEvent.Spoken all) {
    Spoken of = spoken.get(all.response());
    if (of != null && !of.isGuarded()) {
      alive(of);
      of.allWords(all.item(), all.text());
      guarded(of, of.lastRefusal());
      if (!of.isGuarded() && of.wanted.words() == null) {
        journal.judge(all.text(), substitute -> guarded(of, substitute));
      }
    }
  }

  /// A guardrail matches a response that is being spoken.
  private void guarded(Spoken of, @Nullable String substitute) {
    if (substitute != null && !of.isGuarded()) {
      end(List.of(of), substitute);
    }
  }

  /// A guardrail matches the caller's words, which get no answer.
  void guarded(String substitute) {
    giveUpAnswer();
    end(spoken.values().stream().filter(of -> of.wanted.words() == null).toList(), substitute);
  }

  /// Ends these responses, and says a substitute.
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
      alive(of);
      of.calls.add(called.call());
    }
  }

  /// The engine still works on that response.
  private void alive(Spoken of) {
    if (isCurrent(of) && sequencer.state() == State.ACTIVE) {
      stirred = call.nanos();
    }
  }

  /// A response has ended; returns it, null if it is unknown.
  @Nullable Spoken done(String response) {
    Wanted wanted = sequencer.done(response);
    Spoken of = spoken.get(response);
    watch.cancel();
    if (of != null) {
      end(of);
    }
    return wanted == null ? null : of;
  }

  /// A response has ended.
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
      figures.conflict();
      if (sequencer.conflicted(refusal.request())) {
        watch(STUCK, this::stuck);
      }
    } else if (refusal.request() != null) {
      Wanted wanted = sequencer.failed(refusal.request());
      if (wanted != null) {
        watcher.refused(wanted, refusal.code());
      }
    }
    pump();
  }

  private void watch(Duration patience, Runnable step) {
    watch.cancel();
    watch = call.after(patience, step);
  }

  /// The engine does not answer. A response that it does not begin in the last attempt has failed.
  private void stuck() {
    call.note("stuck", Codec.object());
    Wanted never = sequencer.stuck();
    if (never != null) {
      watcher.refused(never, TIMED_OUT);
    }
    pump();
  }

  /// A response that has begun may send nothing more. The alarm is not set anew for each sign of
  /// it, of which there are dozens a second.
  private void silent() {
    Duration left = SILENT.minusNanos(call.nanos() - stirred);
    if (left.isPositive()) {
      watch(left, this::silent);
      return;
    }
    for (Spoken of : List.copyOf(spoken.values())) {
      if (isCurrent(of)) {
        engine.cancel(of.response);
        sequencer.abandon();
        watch(STUCK, this::stuck);
        of.silenced = true;
        of.timedOut = true;
        end(of);
        watcher.ended(of, EngineEvent.Status.FAILED, TIMED_OUT, ModelReply.Usage.NONE);
      }
    }
  }

  // Events of the caller.

  /// The carrier has played up to that mark.
  void played(String mark) {
    if (playout.played(mark)) {
      call.note("mark", Codec.object().put("name", mark));
      heardMore();
    }
  }

  /// The caller has heard more, or more counts as heard.
  void heardMore() {
    for (Spoken of : List.copyOf(spoken.values())) {
      if (!isCurrent(of) && !playout.isPlaying(of.response)) {
        spoken.remove(of.response);
        tell(of);
      }
    }
    watcher.heard();
    if (callerSpeaks && !isDisclosing()) {
      interrupt();
    }
    pump();
  }

  private void tell(Spoken of) {
    if (of.isToBeTold()) {
      call.record().line("agent", of.heardText());
    }
  }

  private boolean isCurrent(Spoken of) {
    Wanted current = sequencer.current();
    return current != null && current.id().equals(of.wanted.id());
  }

  /// The caller speaks: unheard audio is dropped, except what they must hear; audio after that is
  /// dropped when it has been heard.
  ///
  /// @param at when the engine reported it, in nanoseconds
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
    figures.cleared(callerSpoke);
    cutOff(cuts);
    Wanted current = sequencer.current();
    if (current != null) {
      spoken.values().stream().filter(this::isCurrent).forEach(of -> of.silenced = true);
      cancelCurrent();
    }
    spoken.values().removeIf(of -> !isCurrent(of));
    watcher.interrupted();
  }

  /// The unheard part of those was dropped.
  private void cutOff(List<Cut> cuts) {
    for (Cut cut : cuts) {
      Source source = cut.source();
      Spoken of = spoken.get(source.response());
      if (of != null) {
        of.silenced = true;
        of.cut(cut);
        tell(of);
        if (!source.aside()) {
          watcher.cut(of);
        }
      }
      if (engine.isOpen() && !source.aside()) {
        forget(cut);
      }
    }
  }

  private void forget(Cut cut) {
    engine.forget(cut);
    Source source = cut.source();
    call.note(
        "truncated",
        Codec.object()
            .put("item", source.item())
            .put("heard_ms", cut.heard())
            .put("sent_ms", cut.sent()));
  }

  /// The caller has stopped speaking.
  void speechEnded() {
    callerSpeaks = false;
    pump();
  }
}
