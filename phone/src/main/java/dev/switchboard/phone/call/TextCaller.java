package dev.switchboard.phone.call;

import dev.switchboard.phone.carrier.CarrierEvent.Interrupted;
import dev.switchboard.phone.carrier.CarrierEvent.Prompted;
import dev.switchboard.phone.carrier.CarrierEvent.Sounding;
import dev.switchboard.time.Time;
import java.time.Duration;

/// The caller on a line of text, as the carrier hears them: what they say begins turns, the carrier
/// silences the agent when they speak, and the agent says nothing until they have finished.
///
/// Some carriers report that the caller speaks and stops, some only their words, and what began as
/// speech may have been a noise: without a sign of more the line is free again. For the actor's
/// thread.
final class TextCaller {
  private static final Duration WITHOUT_WORDS = Duration.ofMillis(1_500);
  private static final Duration LONGEST = Duration.ofSeconds(60); // without words

  private final CallContext call;
  private final TimeLimits limits;
  private final ResponsePlayer player;
  private final CallTurns turns;
  private final TransferOrHangup exit;
  private Time.Alarm silence = Time.Alarm.NONE;
  private boolean sounds; // as the carrier reports
  private int prompts;

  TextCaller(
      CallContext call,
      TimeLimits limits,
      ResponsePlayer player,
      CallTurns turns,
      TransferOrHangup exit) {
    this.call = call;
    this.limits = limits;
    this.player = player;
    this.turns = turns;
    this.exit = exit;
  }

  /// The carrier has understood words.
  void prompted(Prompted prompt) {
    limits.active();
    exit.speechStarted();
    if (prompt.last()) {
      finished();
      prompts++;
      turns.committed("prompt" + prompts, prompt.words());
    } else {
      speaks();
    }
    exit.heard();
  }

  /// The caller has spoken over the agent, whose rest is not spoken.
  void interrupted(Interrupted by) {
    limits.active();
    exit.speechStarted();
    speaks();
    player.interrupted(by.heard(), by.milliseconds());
    exit.heard();
  }

  /// Someone begins to speak or ends.
  void sounding(Sounding sound) {
    limits.active();
    switch (sound.side()) {
      case AGENT -> {
        if (!sound.speaks()) {
          player.silent();
        }
      }
      case CALLER -> {
        sounds = sound.speaks();
        if (sounds) {
          exit.speechStarted();
          speaks();
        } else {
          silence.cancel();
          silence = call.after(WITHOUT_WORDS, this::finished);
        }
      }
    }
  }

  private void speaks() {
    player.requests().callerSpeaks(true);
    silence.cancel();
    silence = call.after(sounds ? LONGEST : WITHOUT_WORDS, this::finished);
  }

  private void finished() {
    silence.cancel();
    player.speechEnded();
  }
}
