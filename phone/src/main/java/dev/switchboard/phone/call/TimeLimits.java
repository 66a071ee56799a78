package dev.switchboard.phone.call;

import dev.switchboard.agent.LiveSession;
import dev.switchboard.phone.call.CallSettings.Phrase;
import dev.switchboard.phone.call.PlayoutLedger.Kind;
import java.time.Duration;

/// The limits of a call's duration and of silence in it.
///
/// For the actor's thread.
final class TimeLimits {
  // Audio may be announced for that long; a call without it must not occupy a place.
  private static final Duration CONNECTING = Duration.ofSeconds(60);
  private static final Duration WARNING = Duration.ofSeconds(30);
  private static final Duration GOODBYE = Duration.ofSeconds(8);
  private static final Duration REMINDED = Duration.ofSeconds(5);

  private final CallSession call;
  private final Voice voice;
  private final Talk talk;
  private final CallJournal journal;
  private final Duration half; // of the silence that ends the call
  private final long begun;
  private long active; // nanos of the latest activity
  private boolean over; // a limit is reached
  private boolean leaving;
  private String reason = "";

  TimeLimits(CallSession call, Voice voice, Talk talk, CallJournal journal) {
    this.call = call;
    this.voice = voice;
    this.talk = talk;
    this.journal = journal;
    begun = call.nanos();
    active = begun;
    half = call.settings().limits().silence().dividedBy(2);
  }

  void begin() {
    Duration duration = call.settings().limits().duration();
    after(duration.minus(WARNING), this::warn);
    after(half, this::watch);
    after(CONNECTING, call.life()::unconnected);
  }

  /// The caller is active, or something else happened that is spoken about.
  void active() {
    active = call.nanos();
  }

  /// How long the call has lasted.
  Duration age() {
    return Duration.ofNanos(call.nanos() - begun);
  }

  private void after(Duration wait, Runnable step) {
    var unused = call.after(wait.isNegative() ? Duration.ZERO : wait, step);
  }

  private void warn() {
    if (!call.life().isOver()) {
      voice.say(Kind.NOTICE, call.settings().words().of(Phrase.ENDING), true);
      after(WARNING, () -> reached("too_long", 0));
    }
  }

  /// Asks a caller who has been silent for half of the limit.
  private void watch() {
    if (call.life().isOver() || over || leaving) {
      return;
    }
    Duration quiet = Duration.ofNanos(call.nanos() - Math.max(active, call.playout().audible()));
    if (quiet.compareTo(half) < 0) {
      after(half.minus(quiet), this::watch);
    } else if (talk.isAtWork() || voice.isBusy()) {
      after(half, this::watch);
    } else {
      voice.say(Kind.NOTICE, call.settings().words().of(Phrase.SILENCE), true);
      long since = active;
      after(half, () -> stillSilent(since));
    }
  }

  private void stillSilent(long since) {
    if (active == since && !talk.isAtWork()) {
      reached("silence", 0);
    } else {
      watch();
    }
  }

  /// A limit is reached. The model is reminded twice of tools that are required before the end;
  /// then the call ends anyway.
  private void reached(String why, int reminders) {
    if (call.life().isOver() || leaving || over && reminders == 0) {
      return;
    }
    over = true;
    journal.read(
        LiveSession::unmet,
        unmet -> {
          if (unmet.isEmpty() || reminders == Departure.MOST_REMINDERS || !voice.isReady()) {
            goodbye(why);
          } else {
            talk.news("The call is about to end. " + Departure.reminder(unmet), false);
            after(REMINDED, () -> reached(why, reminders + 1));
          }
        });
  }

  /// Says goodbye, and ends the call after it was heard.
  void goodbye(String why) {
    if (call.life().isOver() || leaving) {
      return;
    }
    leaving = true;
    reason = why;
    if (voice.isReady()) {
      voice.giveUpAll();
      voice.say(Kind.FAREWELL, call.settings().words().of(Phrase.GOODBYE), false);
      after(GOODBYE, () -> call.life().hangUp(why));
    } else {
      call.life().sayAndHangUp(why, call.settings().words().of(Phrase.GOODBYE));
    }
  }

  /// The caller has heard more.
  void heard() {
    if (leaving && voice.isIdle()) {
      call.life().hangUp(reason);
    }
  }
}
