package dev.switchboard.phone.call;

import dev.switchboard.json.Codec;
import dev.switchboard.model.ModelReply;
import dev.switchboard.phone.call.PlayoutLedger.Cut;
import dev.switchboard.phone.call.PlayoutLedger.Kind;
import dev.switchboard.phone.call.PlayoutLedger.Source;
import dev.switchboard.phone.call.ResponseSequencer.Wanted;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.rule.StopReason;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The agent's speech on a call: what the caller has heard of its responses, and what happens when
/// the caller speaks.
///
/// For the actor's thread.
final class Voice {
  private static final String TIMED_OUT = StopReason.MODEL_TIMEOUT.word();
  private static final int MOST_AHEAD = 120_000; // milliseconds

  private final CallContext call;
  private final Playout playout;
  private final EngineSide engine;
  private final TurnFigures figures;
  private final CallJournal journal;
  private final SpeechWatcher watcher;
  private final ResponseRequests requests;
  private final Map<String, Spoken> spoken = new HashMap<>(); // until ended and heard
  private long callerSpoke; // nanos when the engine reported it
  private boolean neverSounded = true;

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
    requests = new ResponseRequests(call, playout, engine, figures, watcher);
  }

  /// The audio to the caller.
  Playout playout() {
    return playout;
  }

  /// The figures of the turn.
  TurnFigures figures() {
    return figures;
  }

  /// The requests for its responses.
  ResponseRequests requests() {
    return requests;
  }

  /// The engine's session is lost, with its active response.
  void lost() {
    spoken.values().forEach(response -> response.silenced = true);
    requests.lost();
  }

  /// Whether the caller has heard nothing of the agent yet.
  boolean neverSounded() {
    return neverSounded;
  }

  // Events of the engine.

  /// A response has begun.
  void created(String response, @Nullable String request) {
    Wanted wanted = requests.begun(response, request);
    if (wanted == null) {
      return;
    }
    Spoken begun = new Spoken(response, wanted, watcher.turn());
    if (wanted.words() == null) {
      begun.through(journal.screen());
    }
    spoken.put(response, begun);
    requests.expectSigns(() -> timeOut(begun));
  }

  void audio(EngineEvent.Audio audio) {
    Spoken of = spoken.get(audio.response());
    if (of == null || of.silenced || of.isOver() || !playout.isConnected()) {
      return;
    }
    requests.alive(of.wanted);
    if (requests.callerSpeaks() && of.wanted.kind() != Kind.DISCLOSURE) {
      // It would speak over the caller.
      silence(of, audio.item());
      return;
    }
    Source source =
        new Source(
            audio.response(), audio.item(), audio.content(), of.wanted.kind(), of.wanted.aside());
    if (!of.hasAudio()) {
      neverSounded = false;
      figures.sounds(of.wanted.kind());
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
    requests.cancel();
    if (unheard != null && !of.wanted.aside()) {
      engine.delete(unheard);
    }
  }

  void words(EngineEvent.Words words) {
    Spoken of = spoken.get(words.response());
    if (of != null && !of.isGuarded()) {
      requests.alive(of.wanted);
      of.words(words.item(), words.delta());
      guarded(of, of.refusal(words.delta()));
    }
  }

  void spoken(EngineEvent.Spoken all) {
    Spoken of = spoken.get(all.response());
    if (of != null && !of.isGuarded()) {
      requests.alive(of.wanted);
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
    requests.giveUpAnswer();
    end(spoken.values().stream().filter(of -> of.wanted.words() == null).toList(), substitute);
  }

  /// Ends these responses, and says a substitute.
  private void end(List<Spoken> guarded, String substitute) {
    for (Spoken of : guarded) {
      of.guard();
      of.silenced = true;
    }
    cutOff(playout.clear());
    if (guarded.stream().anyMatch(of -> requests.isCurrent(of.wanted))) {
      requests.cancel();
    }
    String heard = guarded.stream().map(Spoken::heardText).collect(Collectors.joining(" "));
    call.note("guarded", Codec.object().put("heard", heard.strip()));
    requests.say(Kind.NOTICE, substitute, false);
  }

  void called(EngineEvent.Called called) {
    Spoken of = spoken.get(called.response());
    if (of != null) {
      requests.alive(of.wanted);
      of.calls.add(called.call());
    }
  }

  /// A response has ended.
  void done(EngineEvent.Done done) {
    Spoken ended = spoken.get(done.response());
    boolean requested = requests.done(done.response());
    if (ended != null) {
      end(ended);
      if (requested) {
        report(ended, done.status(), String.valueOf(done.reason()), done.usage());
      }
    }
    requests.pump();
  }

  private void report(
      Spoken ended, EngineEvent.Status status, String reason, ModelReply.Usage tokens) {
    if (status == EngineEvent.Status.FAILED) {
      requests.failed(ended.wanted, reason);
    }
    watcher.ended(ended, status, tokens);
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

  /// The engine sends nothing more of a response.
  private void timeOut(Spoken response) {
    if (!requests.isCurrent(response.wanted)) {
      return;
    }
    requests.abandon(response.response);
    response.silenced = true;
    response.timedOut = true;
    end(response);
    report(response, EngineEvent.Status.FAILED, TIMED_OUT, ModelReply.Usage.NONE);
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
      if (!requests.isCurrent(of.wanted) && !playout.isPlaying(of.response)) {
        spoken.remove(of.response);
        tell(of);
      }
    }
    watcher.heard();
    if (requests.callerSpeaks() && !isDisclosing()) {
      interrupt();
    }
    requests.pump();
  }

  private void tell(Spoken of) {
    if (of.isToBeTold()) {
      call.record().line("agent", of.heardText());
    }
  }

  /// The caller speaks: unheard audio is dropped, except what they must hear; audio after that is
  /// dropped when it has been heard.
  ///
  /// @param at when the engine reported it, in nanoseconds
  void speechStarted(long at) {
    requests.callerSpeaks(true);
    callerSpoke = at;
    if (!isDisclosing()) {
      interrupt();
    }
  }

  private boolean isDisclosing() {
    Wanted current = requests.current();
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
    if (requests.current() != null) {
      for (Spoken response : spoken.values()) {
        response.silenced |= requests.isCurrent(response.wanted);
      }
      requests.cancel();
    }
    spoken.values().removeIf(of -> !requests.isCurrent(of.wanted));
    call.note("interrupted", Codec.object());
    journal.interrupted();
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
    requests.callerSpeaks(false);
  }
}
