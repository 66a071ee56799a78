package dev.switchboard.phone.call;

import dev.switchboard.phone.carrier.CarrierEvent.Interrupted;
import dev.switchboard.phone.carrier.CarrierEvent.Prompted;
import dev.switchboard.phone.carrier.CarrierEvent.Sounding;

/// The caller on a line of text, as the carrier hears them: what they say begins turns, and the
/// carrier silences the agent when they speak.
///
/// For the actor's thread.
final class TextCaller {
  private final TimeLimits limits;
  private final ResponsePlayer player;
  private final CallTurns turns;
  private final TransferOrHangup exit;
  private int prompts;

  TextCaller(TimeLimits limits, ResponsePlayer player, CallTurns turns, TransferOrHangup exit) {
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
      prompts++;
      turns.committed("prompt" + prompts, prompt.words());
    }
    exit.heard();
  }

  /// The caller has spoken over the agent, whose rest is not spoken.
  void interrupted(Interrupted by) {
    limits.active();
    exit.speechStarted();
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
        if (sound.speaks()) {
          exit.speechStarted();
        }
      }
    }
  }
}
