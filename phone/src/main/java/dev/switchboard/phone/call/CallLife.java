package dev.switchboard.phone.call;

import dev.switchboard.config.PhoneSettings.Phrase;
import dev.switchboard.json.Codec;
import dev.switchboard.time.Time;
import java.time.Duration;
import java.util.function.Consumer;

/// The state of a call, from its first ring to its end. The end is reported once, whatever the
/// order of events.
///
/// For the actor's thread.
final class CallLife {
  /// The reason of an end that nothing else has caused.
  static final String HUNG_UP = "hung_up";

  private static final String TRANSFERRED = "transferred";
  private static final Duration HANG_UP = Duration.ofSeconds(20);
  private static final Duration TRANSFERRED_TALK = Duration.ofHours(4); // the limit of carriers

  private final CallSession call;
  private final Voice voice;
  private final Consumer<String> onEnd;
  private Phase phase = Phase.RINGING;
  private String reason = HUNG_UP; // of the end, by default
  private boolean connected;
  private Time.Alarm elsewhere = Time.Alarm.NONE;

  /// @param onEnd receives the reason of the end, once
  CallLife(CallSession call, Voice voice, Consumer<String> onEnd) {
    this.call = call;
    this.voice = voice;
    this.onEnd = onEnd;
  }

  /// Its phases, in order.
  private enum Phase {
    /// It has arrived; no audio is connected.
    RINGING,
    /// Its audio is connected.
    CONNECTED,
    /// The engine's session is ready.
    TALKING,
    /// The carrier connects the caller to another number.
    TRANSFERRING,
    /// Its end was requested.
    ENDING,
    /// It has ended.
    ENDED
  }

  /// Whether the call has ended, or is about to end or to be transferred.
  boolean isOver() {
    return switch (phase) {
      case RINGING, CONNECTED, TALKING -> false;
      case TRANSFERRING, ENDING, ENDED -> true;
    };
  }

  boolean isEnded() {
    return phase == Phase.ENDED;
  }

  /// Whether the caller's audio is connected.
  boolean isConnected() {
    return connected;
  }

  /// The audio is connected; returns whether the caller is back from a transfer.
  boolean connected() {
    boolean isBack = phase == Phase.TRANSFERRING;
    elsewhere.cancel();
    connected = true;
    if (isBack || phase == Phase.RINGING) {
      phase = Phase.CONNECTED;
      reason = HUNG_UP;
    }
    if (isBack) {
      call.limits().resume();
    }
    return isBack;
  }

  /// The audio was not connected in time.
  void unconnected() {
    if (phase == Phase.RINGING) {
      hangUp("no_audio");
    }
  }

  /// The engine's session is ready.
  void talking() {
    if (phase == Phase.CONNECTED) {
      phase = Phase.TALKING;
    }
  }

  /// The audio is disconnected: the end, except in a transfer.
  void disconnected() {
    connected = false;
    if (phase != Phase.TRANSFERRING) {
      end(reason);
    }
  }

  /// The carrier reports the state of the call.
  void status(String status) {
    switch (status) {
      case "completed" -> end(phase == Phase.TRANSFERRING ? TRANSFERRED : reason);
      case "busy", "failed", "no-answer", "canceled" -> end(status);
      default -> {}
    }
  }

  /// The call is being transferred.
  void transferring() {
    leaving(Phase.TRANSFERRING, TRANSFERRED);
    elsewhere.cancel();
    elsewhere = call.after(TRANSFERRED_TALK, this::letGo);
  }

  /// Ends a call that the carrier has connected to another number; any other is unchanged.
  void letGo() {
    if (phase == Phase.TRANSFERRING && !connected) {
      end(TRANSFERRED);
    }
  }

  /// The transferred conversation has ended, and with it the call.
  void transferred() {
    end(TRANSFERRED);
  }

  /// The end of the call was requested.
  void ending(String why) {
    leaving(Phase.ENDING, why);
    // A carrier that does not report the end must not keep the call open.
    var unused = call.after(HANG_UP, () -> endIfEnding(why));
  }

  private void leaving(Phase next, String why) {
    phase = next;
    reason = why;
    voice.giveUpAll();
  }

  private void endIfEnding(String why) {
    if (phase == Phase.ENDING) {
      end(why);
    }
  }

  /// The carrier has refused: the call continues, if the caller is still connected.
  void staying() {
    if (!isEnded()) {
      phase = Phase.TALKING;
      reason = HUNG_UP;
      if (connected) {
        call.limits().resume();
      } else {
        end(reason);
      }
    }
  }

  /// The call cannot continue: the carrier's own voice says so.
  void fail(String code) {
    if (!isOver()) {
      call.note("failed", Codec.object().put("code", code));
      sayAndHangUp("failed", call.settings().words().of(Phrase.FAILED));
    }
  }

  /// Makes the carrier say these words with its own voice and end the call.
  void sayAndHangUp(String why, String words) {
    if (!isOver()) {
      ending(why);
      call.order(
          carrier ->
              words.isEmpty() ? carrier.hangUp(call.id()) : carrier.sayAndHangUp(call.id(), words),
          answer -> {});
    }
  }

  /// Makes the carrier end the call.
  void hangUp(String why) {
    if (!isOver()) {
      ending(why);
      call.order(carrier -> carrier.hangUp(call.id()), answer -> {});
    }
  }

  private void end(String why) {
    if (!isEnded()) {
      phase = Phase.ENDED;
      onEnd.accept(why);
    }
  }
}
