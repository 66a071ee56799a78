package dev.switchboard.phone.call;

import dev.switchboard.agent.LiveSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.phone.call.CallSettings.Phrase;
import dev.switchboard.phone.call.PlayoutLedger.Kind;
import dev.switchboard.schema.ToolNames;
import dev.switchboard.time.Time;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The limits of a call's duration and of silence in it.
///
/// For the actor's thread.
final class TimeLimits {
  // Audio may be announced for that long; a call without it must not occupy a place.
  private static final Duration CONNECTING = Duration.ofSeconds(60);
  private static final Duration WARNING = Duration.ofSeconds(30);
  private static final Duration LEAST_WARNED = Duration.ofSeconds(60);
  private static final Duration GOODBYE = Duration.ofSeconds(8);
  private static final String TOO_LONG = "too_long";
  private static final Duration ON_A_LINE = Duration.ofSeconds(15);
  private static final Duration LEAST = Duration.ofSeconds(1);
  private static final Duration REMINDED = Duration.ofSeconds(5);

  private final CallContext call;
  private final CallLifecycle lifecycle;
  private final ResponsePlayer player;
  private final CallTurns turns;
  private final CallJournal journal;
  private final Duration half; // of the silence that ends the call
  private long active; // nanos of the latest activity
  private volatile long waits; // nanos since when the caller waits for something to hear
  private final Set<String> unhurried = ConcurrentHashMap.newKeySet(); // ids of calls
  private Time.Alarm silence = Time.Alarm.NONE;
  private boolean over; // a limit is reached
  private boolean leaving;
  private String reason = "";

  TimeLimits(
      CallContext call,
      CallLifecycle lifecycle,
      ResponsePlayer player,
      CallTurns turns,
      CallJournal journal) {
    this.call = call;
    this.lifecycle = lifecycle;
    this.player = player;
    this.turns = turns;
    this.journal = journal;
    active = call.nanos();
    waits = active;
    half = call.settings().limits().silence().dividedBy(2);
  }

  void begin() {
    Duration duration = duration();
    if (duration.compareTo(LEAST_WARNED) >= 0) {
      after(duration.minus(WARNING), this::warn);
    }
    after(duration, () -> reached(TOO_LONG, 0));
    watchAfter(half);
    after(CONNECTING, lifecycle::unconnected);
  }

  /// The caller is active, or something else happened that is spoken about.
  void active() {
    active = call.nanos();
    waits = active;
  }

  /// A round has ended: the model is asked again.
  void roundEnded() {
    waits = call.nanos();
  }

  /// A call waits for a person while the conversation continues: no one waits for it on the line.
  void unhurried(String callId) {
    unhurried.add(callId);
  }

  /// How long a tool's call that begins now may take, measured from when the caller began to wait:
  /// after their words, the latest audio they heard, or the round before. Called from any thread.
  Duration deadline(String callId, Tool tool) {
    Duration stated = tool.statedDeadline();
    Duration whole = stated == null ? ON_A_LINE : stated;
    if (unhurried.contains(callId) || ToolNames.RESERVED.contains(tool.name())) {
      return whole;
    }
    Duration left = whole.minusNanos(Math.max(0, call.nanos() - waits));
    Duration least = whole.compareTo(LEAST) < 0 ? whole : LEAST;
    return left.compareTo(least) < 0 ? least : left;
  }

  /// The call continues after a transfer or an end that failed; meanwhile no limit had an effect.
  void resume() {
    over = false;
    leaving = false;
    active();
    watchAfter(half);
    if (call.age().compareTo(duration()) >= 0) {
      reached(TOO_LONG, 0);
    }
  }

  private Duration duration() {
    return call.settings().limits().duration();
  }

  private void watchAfter(Duration wait) {
    silence.cancel();
    silence = call.after(wait, this::watch);
  }

  private void after(Duration wait, Runnable step) {
    var unused = call.after(wait, step);
  }

  private void warn() {
    if (!call.isOver()) {
      player.requests().say(Kind.NOTICE, call.settings().words().of(Phrase.ENDING), true);
    }
  }

  /// Asks a caller who has been silent for half of the limit.
  private void watch() {
    if (call.isOver() || over || leaving) {
      return;
    }
    Duration quiet = Duration.ofNanos(call.nanos() - Math.max(active, player.playout().audible()));
    if (quiet.compareTo(half) < 0) {
      watchAfter(half.minus(quiet));
    } else if (turns.isAtWork() || player.requests().isBusy()) {
      watchAfter(half);
    } else {
      player.requests().say(Kind.NOTICE, call.settings().words().of(Phrase.SILENCE), true);
      long since = active;
      silence.cancel();
      silence = call.after(half, () -> stillSilent(since));
    }
  }

  private void stillSilent(long since) {
    if (active == since && !turns.isAtWork()) {
      reached("silence", 0);
    } else {
      watch();
    }
  }

  /// A limit is reached. The model is reminded twice of tools that are required before the end;
  /// then the call ends anyway.
  private void reached(String why, int reminders) {
    if (call.isOver() || leaving || over && reminders == 0) {
      return;
    }
    over = true;
    journal.read(
        LiveSession::unmet,
        unmet -> {
          boolean mayRemind =
              reminders < TransferOrHangup.MOST_REMINDERS && player.requests().isReady();
          if (unmet.isEmpty() || !mayRemind) {
            goodbye(why);
          } else {
            turns.news("The call is about to end. " + TransferOrHangup.reminder(unmet), false);
            after(REMINDED, () -> reached(why, reminders + 1));
          }
        });
  }

  /// Says goodbye, and ends the call after it was heard.
  void goodbye(String why) {
    if (call.isOver() || leaving) {
      return;
    }
    leaving = true;
    reason = why;
    if (player.requests().isReady()) {
      player.requests().giveUpAll();
      player.requests().say(Kind.FAREWELL, call.settings().words().of(Phrase.GOODBYE), false);
      after(GOODBYE, () -> lifecycle.hangUp(why));
    } else {
      lifecycle.sayAndHangUp(why, call.settings().words().of(Phrase.GOODBYE));
    }
  }

  /// The caller has heard more.
  void heard() {
    waits = call.nanos();
    if (leaving && player.requests().isIdle()) {
      lifecycle.hangUp(reason);
    }
  }
}
