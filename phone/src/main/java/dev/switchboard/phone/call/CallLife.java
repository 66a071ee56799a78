package dev.switchboard.phone.call;

import dev.switchboard.json.Codec;
import dev.switchboard.phone.call.CallSettings.Phrase;
import dev.switchboard.time.Time;
import java.time.Duration;
import java.util.function.Consumer;

/// Where a call stands, from its first ring to its end, which comes once, whatever arrives in what
/// order.
///
/// For the actor's thread.
final class CallLife {
  /// The reason of an end that nobody else has asked for.
  static final String HUNG_UP = "hung_up";

  private static final String TRANSFERRED = "transferred";
  private static final Duration HANG_UP = Duration.ofSeconds(20);
  private static final Duration TRANSFERRED_TALK = Duration.ofHours(4); // as carriers bound it

  private final CallSession call;
  private final Voice voice;
  private final Consumer<String> onEnd;
  private Phase phase = Phase.RINGING;
  private String reason = HUNG_UP; // of the end, where nobody says another
  private boolean connected;
  private Time.Alarm elsewhere = () -> {};

  /// @param onEnd takes the reason of the end, once
  CallLife(CallSession call, Voice voice, Consumer<String> onEnd) {
    this.call = call;
    this.voice = voice;
    this.onEnd = onEnd;
  }

  /// Its phases, in their order.
  private enum Phase {
    /// It has come in; nobody hears anything yet.
    RINGING,
    /// Its audio is there.
    CONNECTED,
    /// The engine hears and speaks.
    TALKING,
    /// The carrier connects the caller to someone else.
    TRANSFERRING,
    /// It is being ended.
    ENDING,
    /// It is over.
    ENDED
  }

  /// Whether the call is to end, or to go elsewhere, or is over.
  boolean isOver() {
    return switch (phase) {
      case RINGING, CONNECTED, TALKING -> false;
      case TRANSFERRING, ENDING, ENDED -> true;
    };
  }

  boolean isEnded() {
    return phase == Phase.ENDED;
  }

  /// Whether the caller can hear anything.
  boolean isConnected() {
    return connected;
  }

  /// The audio is there; whether the caller is back from a transfer.
  boolean connected() {
    boolean isBack = phase == Phase.TRANSFERRING;
    elsewhere.cancel();
    connected = true;
    if (isBack || phase == Phase.RINGING) {
      phase = Phase.CONNECTED;
      reason = HUNG_UP;
    }
    return isBack;
  }

  /// The audio has not come, and will not any more.
  void unconnected() {
    if (phase == Phase.RINGING) {
      hangUp("no_audio");
    }
  }

  /// The engine hears and speaks.
  void talking() {
    if (phase == Phase.CONNECTED) {
      phase = Phase.TALKING;
    }
  }

  /// The audio is gone, which is the end but in a transfer.
  void disconnected() {
    connected = false;
    if (phase != Phase.TRANSFERRING) {
      end(reason);
    }
  }

  /// The carrier tells the state of the call.
  void status(String status) {
    switch (status) {
      case "completed" -> end(phase == Phase.TRANSFERRING ? TRANSFERRED : reason);
      case "busy", "failed", "no-answer", "canceled" -> end(status);
      default -> {}
    }
  }

  /// The call is being handed on.
  void transferring() {
    leaving(Phase.TRANSFERRING, TRANSFERRED);
    elsewhere.cancel();
    elsewhere = call.after(TRANSFERRED_TALK, this::letGo);
  }

  /// A call that the carrier has connected to someone else is over for us; any other is left as it
  /// is.
  void letGo() {
    if (phase == Phase.TRANSFERRING && !connected) {
      end(TRANSFERRED);
    }
  }

  /// The caller has spoken with someone else, and the call is over.
  void transferred() {
    end(TRANSFERRED);
  }

  /// The call is being ended.
  void ending(String why) {
    leaving(Phase.ENDING, why);
    // A carrier that does not tell the end must not keep the call.
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

  /// The carrier has refused: the call goes on, if the caller is still there.
  void staying() {
    if (!isEnded()) {
      phase = Phase.TALKING;
      reason = HUNG_UP;
      if (!connected) {
        end(reason);
      }
    }
  }

  /// The call cannot go on: the carrier's own voice says so.
  void fail(String code) {
    if (!isOver()) {
      call.note("failed", Codec.object().put("code", code));
      sayAndHangUp("failed", call.settings().words().of(Phrase.FAILED));
    }
  }

  /// Has the carrier say these words with its own voice and end the call.
  void sayAndHangUp(String why, String words) {
    if (!isOver()) {
      ending(why);
      call.order(
          carrier ->
              words.isEmpty() ? carrier.hangUp(call.id()) : carrier.sayAndHangUp(call.id(), words),
          answer -> {});
    }
  }

  /// Has the carrier end the call.
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
