package dev.switchboard.phone.call;

import dev.switchboard.phone.call.PlayoutLedger.Kind;
import java.time.Duration;

/// How long a call may last, and how long nobody may say anything in it.
///
/// For the actor's thread.
final class TimeLimits {
  private static final Duration WARNING = Duration.ofSeconds(30);
  private static final Duration GOODBYE = Duration.ofSeconds(8);

  private final CallSession call;
  private final Voice voice;
  private final Talk talk;
  private final Duration half; // of the silence that ends the call
  private boolean leaving;
  private String reason = "";

  TimeLimits(CallSession call, Voice voice, Talk talk) {
    this.call = call;
    this.voice = voice;
    this.talk = talk;
    half = call.settings().limits().silence().dividedBy(2);
  }

  void begin() {
    Duration duration = call.settings().limits().duration();
    after(duration.minus(WARNING), this::warn);
    after(half, this::watch);
  }

  private void after(Duration wait, Runnable step) {
    var unused = call.after(wait.isNegative() ? Duration.ZERO : wait, step);
  }

  private void warn() {
    if (!call.isOver()) {
      String unused = voice.say(Kind.NOTICE, call.settings().words().ending(), true);
      after(WARNING, () -> goodbye("too_long"));
    }
  }

  /// Asks a caller who has been silent for half of the time.
  private void watch() {
    if (call.isOver() || leaving) {
      return;
    }
    Duration quiet = Duration.ofNanos(call.nanos() - Math.max(call.lastActive(), voice.audible()));
    if (quiet.compareTo(half) < 0) {
      after(half.minus(quiet), this::watch);
    } else if (talk.isAtWork() || voice.isBusy()) {
      after(half, this::watch);
    } else {
      String unused = voice.say(Kind.NOTICE, call.settings().words().silence(), true);
      long since = call.lastActive();
      after(half, () -> stillSilent(since));
    }
  }

  private void stillSilent(long since) {
    if (call.lastActive() == since && !talk.isAtWork()) {
      goodbye("silence");
    } else {
      watch();
    }
  }

  /// Says goodbye, and ends the call when that is heard.
  void goodbye(String why) {
    if (call.isOver() || leaving) {
      return;
    }
    leaving = true;
    reason = why;
    if (voice.isReady()) {
      voice.giveUpAll();
      String unused = voice.say(Kind.FAREWELL, call.settings().words().goodbye(), false);
      after(GOODBYE, () -> call.hangUp(why));
    } else {
      call.hangUp(why);
    }
  }

  /// The caller has heard more.
  void heard() {
    if (leaving && voice.isIdle()) {
      call.hangUp(reason);
    }
  }
}
