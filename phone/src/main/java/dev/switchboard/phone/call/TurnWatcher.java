package dev.switchboard.phone.call;

import java.time.Instant;

/// What follows from turns and their tools.
interface TurnWatcher {
  /// A turn begins, or a result is spoken about.
  void active();

  /// A tool waits for a person's consent.
  void consent(String request, Instant until);

  /// That call may take its time.
  void unhurried(String call);

  /// All tools of a round have ended.
  void roundEnded();
}
