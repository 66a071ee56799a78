package dev.switchboard.phone.call;

import dev.switchboard.json.Codec;
import dev.switchboard.phone.call.CallSettings.Flag;
import dev.switchboard.time.Time;
import java.time.Duration;
import tools.jackson.databind.node.ObjectNode;

/// Keys that the caller presses. They answer a question for consent; otherwise they are collected
/// into one note for the model, until `#` or two seconds without a key.
///
/// For the actor's thread.
final class KeyPad {
  private static final Duration PAUSE = Duration.ofSeconds(2);
  private static final int MOST = 64;

  private final CallContext call;
  private final CallTurns turns;
  private final LineConsent consent;
  private final TimeLimits limits;
  private final StringBuilder keys = new StringBuilder();
  private Time.Alarm pause = Time.Alarm.NONE;

  KeyPad(CallContext call, CallTurns turns, LineConsent consent, TimeLimits limits) {
    this.call = call;
    this.turns = turns;
    this.consent = consent;
    this.limits = limits;
  }

  void pressed(char key) {
    limits.active();
    // It may be part of a secret number.
    ObjectNode details = Codec.object();
    call.note("key", call.settings().is(Flag.LOG_KEYS) ? details.put("key", key + "") : details);
    if (consent.pressed(key)) {
      return;
    }
    pause.cancel();
    if (key != '#') {
      keys.append(key);
    }
    if (key == '#' || keys.length() == MOST) {
      ended();
    } else {
      pause = call.after(PAUSE, this::ended);
    }
  }

  /// Whether the caller is asked for a key.
  boolean isAsked() {
    return consent.isAsking();
  }

  /// Whether more keys may follow those that the caller has pressed.
  boolean isCollecting() {
    return !keys.isEmpty();
  }

  /// The call is over: the transcript has the keys that no note has yet.
  void over() {
    pause.cancel();
    if (!keys.isEmpty()) {
      call.record().pressed(keys.toString());
      keys.setLength(0);
    }
  }

  private void ended() {
    if (!keys.isEmpty()) {
      String note = keys.toString();
      keys.setLength(0);
      call.record().pressed(note);
      turns.pressed(note);
    }
  }
}
