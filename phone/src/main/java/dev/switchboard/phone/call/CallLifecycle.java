package dev.switchboard.phone.call;

import dev.switchboard.json.Codec;
import dev.switchboard.phone.call.CallSettings.Phrase;
import dev.switchboard.time.Time;
import java.time.Duration;
import java.util.function.Consumer;

/// The state of a call, from its first ring to its end. The end is reported once, whatever the
/// order of events.
///
/// For the actor's thread.
final class CallLifecycle {
  /// The reason of an end that nothing else has caused.
  static final String HUNG_UP = "hung_up";

  private static final String TRANSFERRED = "transferred";
  private static final Duration HANG_UP = Duration.ofSeconds(20);
  private static final Duration TRANSFERRED_TALK = Duration.ofHours(4); // the limit of carriers

  private final CallContext call;
  private final ResponsePlayer player;
  private final Runnable onReturn;
  private final Consumer<String> onEnd;
  private String reason = HUNG_UP; // of the end, by default
  private Time.Alarm elsewhere = Time.Alarm.NONE;

  /// @param onReturn runs when the caller is back from a transfer, or never left
  /// @param onEnd receives the reason of the end, once
  CallLifecycle(
      CallContext call, ResponsePlayer player, Runnable onReturn, Consumer<String> onEnd) {
    this.call = call;
    this.player = player;
    this.onReturn = onReturn;
    this.onEnd = onEnd;
  }

  /// The audio is connected; returns whether the caller is back from a transfer.
  boolean connected() {
    boolean isBack = call.phase() == CallPhase.TRANSFERRING;
    elsewhere.cancel();
    call.connect(true);
    if (isBack || call.phase() == CallPhase.RINGING) {
      call.enter(CallPhase.CONNECTED);
      reason = HUNG_UP;
    }
    if (isBack) {
      onReturn.run();
    }
    return isBack;
  }

  /// The audio was not connected in time.
  void unconnected() {
    if (call.phase() == CallPhase.RINGING) {
      hangUp("no_audio");
    }
  }

  /// The engine's session is ready.
  void talking() {
    if (call.phase() == CallPhase.CONNECTED) {
      call.enter(CallPhase.TALKING);
    }
  }

  /// The audio is disconnected: the end, except in a transfer.
  void disconnected() {
    call.connect(false);
    if (call.phase() != CallPhase.TRANSFERRING) {
      end(reason);
    }
  }

  /// The carrier reports the state of the call.
  void status(String status) {
    switch (status) {
      case "completed" -> end(call.phase() == CallPhase.TRANSFERRING ? TRANSFERRED : reason);
      case "busy", "failed", "no-answer", "canceled" -> end(status);
      default -> {}
    }
  }

  /// The call is being transferred.
  void transferring() {
    leaving(CallPhase.TRANSFERRING, TRANSFERRED);
    elsewhere.cancel();
    elsewhere = call.after(TRANSFERRED_TALK, this::endIfTransferred);
  }

  /// Ends a call that the carrier has connected to another number; any other is unchanged.
  void endIfTransferred() {
    if (call.phase() == CallPhase.TRANSFERRING && !call.isConnected()) {
      end(TRANSFERRED);
    }
  }

  /// The transferred conversation has ended, and with it the call.
  void transferred() {
    end(TRANSFERRED);
  }

  /// The end of the call was requested.
  void ending(String why) {
    leaving(CallPhase.ENDING, why);
    // A carrier that does not report the end must not keep the call open.
    var unused = call.after(HANG_UP, () -> endIfEnding(why));
  }

  private void leaving(CallPhase next, String why) {
    call.enter(next);
    reason = why;
    player.requests().giveUpAll();
  }

  private void endIfEnding(String why) {
    if (call.phase() == CallPhase.ENDING) {
      end(why);
    }
  }

  /// The carrier has refused: the call continues, if the caller is still connected.
  void staying() {
    if (!call.isEnded()) {
      call.enter(CallPhase.TALKING);
      reason = HUNG_UP;
      if (call.isConnected()) {
        onReturn.run();
      } else {
        end(reason);
      }
    }
  }

  /// The call cannot continue: the carrier's own voice says so.
  void fail(String code) {
    if (!call.isOver()) {
      call.note("failed", Codec.object().put("code", code));
      sayAndHangUp("failed", call.settings().words().of(Phrase.FAILED));
    }
  }

  /// Makes the carrier say these words with its own voice and end the call.
  void sayAndHangUp(String why, String words) {
    if (!call.isOver()) {
      ending(why);
      call.order(
          carrier ->
              words.isEmpty() ? carrier.hangUp(call.id()) : carrier.sayAndHangUp(call.id(), words),
          answer -> {});
    }
  }

  /// Makes the carrier end the call.
  void hangUp(String why) {
    if (!call.isOver()) {
      ending(why);
      call.order(carrier -> carrier.hangUp(call.id()), answer -> {});
    }
  }

  private void end(String why) {
    if (!call.isEnded()) {
      call.enter(CallPhase.ENDED);
      onEnd.accept(why);
    }
  }
}
