package dev.switchboard.phone.call;

import dev.switchboard.phone.call.PlayoutLedger.Kind;
import dev.switchboard.phone.call.ToolRounds.OpenCall;
import dev.switchboard.time.Time;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// What the caller hears while a tool runs: words about its progress at once, and a reassurance
/// after a silence.
///
/// For the actor's thread.
final class ToolProgress {
  private final CallContext call;
  private final ResponsePlayer player;

  ToolProgress(CallContext call, ResponsePlayer player) {
    this.call = call;
    this.player = player;
  }

  /// Says words of a tool, unless its call is not open any more.
  ///
  /// @param after the silence that a reassurance waits for; null for words about the progress
  void hint(@Nullable OpenCall tool, String words, @Nullable Duration after) {
    if (tool == null || tool.output != null) {
      return;
    }
    if (after == null) {
      tool.spokeProgress = true;
      player.requests().say(Kind.PROGRESS, words, false);
    } else {
      reassure(tool, words, after);
    }
  }

  /// Says these words, once, if the caller has heard nothing for that long.
  private void reassure(OpenCall tool, String words, Duration after) {
    if (tool.output != null || tool.spokeProgress || player.requests().callerSpeaks()) {
      return;
    }
    long left = player.playout().audible() + after.toNanos() - call.nanos();
    boolean quiet = player.playout().idle() && !player.requests().isBusy();
    if (quiet && (left <= 0 || player.neverSounded())) {
      tool.spokeProgress = true;
      player.requests().say(Kind.REASSURANCE, words, false);
    } else {
      Duration wait = Duration.ofNanos(Math.max(left, 100_000_000L));
      Time.Alarm unused = call.after(wait, () -> reassure(tool, words, after));
    }
  }
}
