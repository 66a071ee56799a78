package dev.switchboard.phone.call;

import java.util.ArrayList;
import java.util.List;

/// The moments in which a call goes on with what the caller says or presses next: all is said and
/// heard, and nothing runs that they do not decide about.
///
/// For the actor's thread.
final class CallersTurn {
  private final CallContext call;
  private final ResponsePlayer player;
  private final CallTurns turns;
  private final CallJournal journal;
  private final KeyPad keys;
  private final List<Runnable> steps = new ArrayList<>(); // that wait for the next one

  CallersTurn(
      CallContext call, ResponsePlayer player, CallTurns turns, CallJournal journal, KeyPad keys) {
    this.call = call;
    this.player = player;
    this.turns = turns;
    this.journal = journal;
    this.keys = keys;
  }

  /// Runs that step once, at the next one.
  void await(Runnable step) {
    steps.add(step);
  }

  /// Runs the waiting steps if it has come.
  void check() {
    if (!steps.isEmpty() && isNow()) {
      List<Runnable> due = List.copyOf(steps);
      steps.clear();
      due.forEach(Runnable::run);
    }
  }

  private boolean isNow() {
    return call.phase() == CallPhase.TALKING
        && player.requests().isIdle()
        && journal.isQuiet()
        && !keys.isCollecting()
        && (keys.isAsked() || !turns.isAtWork());
  }
}
