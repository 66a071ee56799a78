package dev.switchboard.phone.call;

import dev.switchboard.json.Codec;
import dev.switchboard.phone.call.CallSettings.Phrase;
import dev.switchboard.phone.call.PlayoutLedger.Kind;
import dev.switchboard.phone.call.ResponseSequencer.State;
import dev.switchboard.phone.call.ResponseSequencer.Wanted;
import dev.switchboard.phone.engine.Engine;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.phone.engine.EngineSession;
import dev.switchboard.rule.StopReason;
import dev.switchboard.time.Time;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The requests for the agent's responses: what it says next. They are sent to the engine one at a
/// time, while the line is connected and the caller does not speak. A request that the engine does
/// not answer is repeated, and given up at last.
///
/// For the actor's thread.
final class ResponseRequests {
  private static final Duration STUCK = Duration.ofSeconds(10);

  private final CallContext call;
  private final Playout playout;
  private final EngineRequests engine;
  private final TurnFigures figures;
  private final SpeechWatcher watcher;
  private final ResponseSequencer sequencer = new ResponseSequencer();
  private boolean ready;
  private boolean held; // answers wait
  private boolean callerSpeaks;
  private Time.Alarm watchdog = Time.Alarm.NONE;
  private long latestSign; // nanos, of the active response

  ResponseRequests(
      CallContext call,
      Playout playout,
      EngineRequests engine,
      TurnFigures figures,
      SpeechWatcher watcher) {
    this.call = call;
    this.playout = playout;
    this.engine = engine;
    this.figures = figures;
    this.watcher = watcher;
  }

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

  /// Drops everything that has not begun.
  void giveUpAll() {
    sequencer.giveUpAll();
  }

  /// Drops an answer that has not begun.
  void giveUpAnswer() {
    sequencer.giveUpAnswer();
  }

  /// Delays answers, such as while start tools run, or no longer does.
  void hold(boolean on) {
    held = on;
    pump();
  }

  /// Sets whether the caller speaks, which delays all responses.
  void callerSpeaks(boolean now) {
    callerSpeaks = now;
    pump();
  }

  boolean callerSpeaks() {
    return callerSpeaks;
  }

  /// Whether the caller has heard everything, and nothing is active.
  boolean isIdle() {
    return playout.idle() && !sequencer.isBusy() && !callerSpeaks;
  }

  boolean isBusy() {
    return sequencer.isBusy();
  }

  /// Continues with that session.
  void open(EngineSession session, Engine.Setup setup) {
    engine.open(session, setup);
  }

  /// The next session is opened with the current transcript, which contains everything that was
  /// added.
  void forgetUnsent() {
    engine.forgetUnsent();
  }

  /// The engine's session can be used.
  void ready() {
    ready = true;
    playout.endTone();
    pump();
  }

  boolean isReady() {
    return ready;
  }

  /// The engine's session is lost. An answer that was active is requested again from the next one.
  void lost() {
    engine.close();
    ready = false;
    watchdog.cancel();
    Wanted active = sequencer.free();
    if (active != null && !active.aside()) {
      sequencer.answer(active.kind(), active.mayCall(), false);
    }
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

  /// The active request, null for none.
  @Nullable Wanted current() {
    return sequencer.current();
  }

  /// Whether that request is active.
  boolean isCurrent(Wanted wanted) {
    Wanted current = sequencer.current();
    return current != null && current.id().equals(wanted.id());
  }

  /// The engine has begun a response; returns its request. One that was not requested, or is no
  /// longer wanted, is cancelled, and has none.
  @Nullable Wanted begun(String response, @Nullable String request) {
    Wanted wanted = sequencer.current();
    if (wanted != null && sequencer.created(response, request)) {
      if (sequencer.cancelsLate()) {
        engine.cancel(response);
      }
      return wanted;
    }
    engine.cancel(response);
    if (sequencer.unwanted(response)) {
      watch(STUCK, this::stuck);
    }
    return null;
  }

  /// Expects signs of the response that has begun, see [#alive].
  ///
  /// @param silent runs if there is none for too long
  void expectSigns(Runnable silent) {
    latestSign = call.nanos();
    watch(engine.patience(), () -> checkSigns(silent));
  }

  /// The alarm is not set again for each sign, of which there are dozens a second.
  private void checkSigns(Runnable silent) {
    Duration left = engine.patience().minusNanos(call.nanos() - latestSign);
    if (left.isPositive()) {
      watch(left, () -> checkSigns(silent));
    } else {
      silent.run();
    }
  }

  /// The engine still works on the response to that request.
  void alive(Wanted wanted) {
    if (isCurrent(wanted) && sequencer.state() == State.ACTIVE) {
      latestSign = call.nanos();
    }
  }

  /// Cancels the active response.
  void cancel() {
    String response = sequencer.cancel();
    if (response != null) {
      engine.cancel(response);
    }
    if (sequencer.state() == State.CANCEL_SENT) {
      watch(STUCK, this::stuck);
    }
  }

  /// Cancels the active response, and does not wait for the rest of it.
  void abandon(String response) {
    engine.cancel(response);
    sequencer.abandon();
    watch(STUCK, this::stuck);
  }

  /// A response has ended; returns whether it was the active one.
  boolean done(String response) {
    watchdog.cancel();
    return sequencer.done(response) != null;
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
      refused(sequencer.failed(refusal.request()), refusal.code());
    }
    pump();
  }

  /// The engine does not answer. A response that it does not begin in the last attempt has failed.
  private void stuck() {
    call.note("stuck", Codec.object());
    refused(sequencer.stuck(), StopReason.MODEL_TIMEOUT.word());
    pump();
  }

  private void refused(@Nullable Wanted wanted, String code) {
    if (wanted != null) {
      failed(wanted, code);
      watcher.refused(wanted, code);
    }
  }

  /// There will be no response, or no complete one, to that request. The caller is informed, unless
  /// it was a farewell.
  void failed(Wanted wanted, String code) {
    call.note("response_failed", Codec.object().put("code", code));
    if (!wanted.aside() && wanted.kind() != Kind.FAREWELL) {
      say(Kind.NOTICE, call.settings().words().of(Phrase.FAILED), false);
    }
  }

  private void watch(Duration patience, Runnable step) {
    watchdog.cancel();
    watchdog = call.after(patience, step);
  }
}
