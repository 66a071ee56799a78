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
final class ResponsePlayer {
  private static final String TIMED_OUT = StopReason.MODEL_TIMEOUT.word();
  private static final int MOST_AHEAD = 120_000; // milliseconds

  private final CallContext call;
  private final Playout playout;
  private final EngineRequests engine;
  private final TurnFigures figures;
  private final CallJournal journal;
  private final SpeechWatcher watcher;
  private final ResponseRequests requests;
  private final Map<String, SpokenResponse> spoken = new HashMap<>(); // until ended and heard
  private long callerSpoke; // nanos when the engine reported it
  private boolean neverSounded = true;

  ResponsePlayer(
      CallContext call,
      Playout playout,
      EngineRequests engine,
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
    SpokenResponse begun = new SpokenResponse(response, wanted, watcher.turn());
    if (wanted.words() == null && !engine.isOfAgent()) {
      begun.screenWith(journal.screen());
    }
    spoken.put(response, begun);
    requests.expectSigns(() -> timeOut(begun));
  }

  void audio(EngineEvent.Audio audio) {
    SpokenResponse response = audible(audio.response(), audio.item());
    if (response == null) {
      return;
    }
    sounds(response, audio.preamble());
    response.audio(audio.audio().length);
    playout.play(source(response, audio.item(), audio.content()), audio.audio());
    if (playout.ahead() > MOST_AHEAD) {
      silence(response, null);
    }
  }

  /// Words that the carrier speaks.
  void text(EngineEvent.Text text) {
    SpokenResponse response = audible(text.response(), text.item());
    if (response != null) {
      sounds(response, false);
      response.spoken(text.item(), text.words());
      playout.say(source(response, text.item(), 0), text.words());
    }
  }

  /// The response of which more has arrived, null if that is not for the caller: it would speak
  /// over them, for one thing.
  private @Nullable SpokenResponse audible(String id, String item) {
    SpokenResponse response = spoken.get(id);
    if (response == null || response.silenced || response.isOver() || !playout.isConnected()) {
      return null;
    }
    requests.alive(response.wanted);
    if (requests.callerSpeaks() && response.wanted.kind() != Kind.DISCLOSURE) {
      silence(response, item);
      return null;
    }
    return response;
  }

  private static Source source(SpokenResponse response, String item, int content) {
    Wanted wanted = response.wanted;
    return new Source(response.id, item, content, wanted.kind(), wanted.aside());
  }

  /// Audio or words of a response are sent.
  private void sounds(SpokenResponse response, boolean preamble) {
    figures.sounds(response, preamble);
    if (!response.hasAudio()) {
      neverSounded = false;
      watcher.sounds(response.wanted);
      call.note("audio", Codec.object().put("kind", response.wanted.kind().word()));
    }
  }

  private void silence(SpokenResponse response, @Nullable String unheard) {
    response.silenced = true;
    requests.cancel();
    if (unheard != null && !response.wanted.aside()) {
      engine.delete(unheard);
    }
  }

  void words(EngineEvent.Words words) {
    SpokenResponse response = spoken.get(words.response());
    if (response != null && !response.isGuarded()) {
      requests.alive(response.wanted);
      response.words(words.item(), words.delta());
      guarded(response, response.refusal(words.delta()));
    }
  }

  void spoken(EngineEvent.Spoken all) {
    SpokenResponse response = spoken.get(all.response());
    if (response != null && !response.isGuarded()) {
      requests.alive(response.wanted);
      response.allWords(all.item(), all.text());
      guarded(response, response.lastRefusal());
      if (!response.isGuarded() && response.wanted.words() == null && !engine.isOfAgent()) {
        journal.judge(all.text(), substitute -> guarded(response, substitute));
      }
    }
  }

  /// A guardrail matches a response that is being spoken.
  private void guarded(SpokenResponse response, @Nullable String substitute) {
    if (substitute != null && !response.isGuarded()) {
      end(List.of(response), substitute);
    }
  }

  /// A guardrail matches the caller's words, which get no answer.
  void guarded(String substitute) {
    requests.giveUpAnswer();
    end(
        spoken.values().stream().filter(response -> response.wanted.words() == null).toList(),
        substitute);
  }

  /// Ends these responses, and says a substitute.
  private void end(List<SpokenResponse> guarded, String substitute) {
    for (SpokenResponse response : guarded) {
      response.guard();
      response.silenced = true;
    }
    cutOff(playout.clear());
    if (guarded.stream().anyMatch(response -> requests.isCurrent(response.wanted))) {
      requests.cancel();
    }
    String heard = guarded.stream().map(SpokenResponse::heardText).collect(Collectors.joining(" "));
    call.note("guarded", Codec.object().put("heard", heard.strip()));
    requests.say(Kind.NOTICE, substitute, false);
  }

  void called(EngineEvent.Called called) {
    SpokenResponse response = spoken.get(called.response());
    if (response != null) {
      requests.alive(response.wanted);
      response.calls.add(called.call());
    }
  }

  /// A response has ended.
  void done(EngineEvent.Done done) {
    SpokenResponse ended = spoken.get(done.response());
    boolean requested = requests.done(done.response());
    if (ended != null) {
      ended.reply = done.reply();
      end(ended);
      if (requested) {
        report(ended, done.status(), String.valueOf(done.reason()), done.usage());
      }
    }
    requests.pump();
  }

  private void report(
      SpokenResponse ended, EngineEvent.Status status, String reason, ModelReply.Usage tokens) {
    if (status == EngineEvent.Status.FAILED) {
      requests.failed(ended.wanted, reason);
    }
    watcher.ended(ended, status, tokens);
  }

  /// A response has ended.
  private void end(SpokenResponse response) {
    playout.end();
    response.end();
    boolean plays = playout.isPlaying(response.id);
    if (response.isCut() || !plays) {
      recordHeard(response);
    }
    if (!plays) {
      spoken.remove(response.id);
    }
  }

  /// The engine sends nothing more of a response.
  private void timeOut(SpokenResponse response) {
    if (!requests.isCurrent(response.wanted)) {
      return;
    }
    requests.abandon(response.id);
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
    for (SpokenResponse response : List.copyOf(spoken.values())) {
      if (!requests.isCurrent(response.wanted) && !playout.isPlaying(response.id)) {
        spoken.remove(response.id);
        recordHeard(response);
      }
    }
    watcher.heard();
    if (requests.callerSpeaks() && !isDisclosing()) {
      interrupt();
    }
    requests.pump();
  }

  private void recordHeard(SpokenResponse response) {
    if (response.claimReport()) {
      call.record().line("agent", response.heardText());
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

  /// The carrier has silenced the agent's words, since the caller spoke over them.
  void interrupted(String heard, int milliseconds) {
    callerSpoke = call.nanos();
    interrupt(playout.interrupted(heard, milliseconds));
  }

  /// The carrier has fallen silent.
  void silent() {
    if (playout.spoken()) {
      heardMore();
    }
  }

  private void interrupt() {
    interrupt(playout.clear());
  }

  private void interrupt(List<Cut> cuts) {
    if (cuts.isEmpty()) {
      return;
    }
    figures.cleared(callerSpoke);
    cutOff(cuts);
    if (requests.current() != null) {
      for (SpokenResponse response : spoken.values()) {
        response.silenced |= requests.isCurrent(response.wanted);
      }
      requests.cancel();
    }
    spoken.values().removeIf(response -> !requests.isCurrent(response.wanted));
    call.note("interrupted", Codec.object());
    journal.interrupted();
  }

  /// The unheard part of those was dropped.
  private void cutOff(List<Cut> cuts) {
    for (Cut cut : cuts) {
      Source source = cut.source();
      SpokenResponse response = spoken.get(source.response());
      if (response != null) {
        response.silenced = true;
        response.cut(cut);
        recordHeard(response);
        if (!source.aside()) {
          watcher.cut(response);
        }
      }
      if (engine.isOpen() && !source.aside()) {
        truncate(cut);
      }
    }
  }

  private void truncate(Cut cut) {
    engine.truncate(cut);
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
