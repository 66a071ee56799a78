package dev.switchboard.server;

import dev.switchboard.agent.Conversation;
import dev.switchboard.server.access.Problem;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The turns of conversations that are not stored, each for one request.
///
/// Thread-safe.
final class OneOffTurns {
  private static final Duration AGAIN = Duration.ofMillis(100);

  private final Set<Once> running = ConcurrentHashMap.newKeySet();

  /// A turn that runs.
  private record Once(String principal, Conversation conversation, Thread thread) {}

  /// A turn from its begin to its end.
  interface Running {
    /// Ends the turn, and waits for its end.
    void end() throws InterruptedException;
  }

  /// Begins a turn of that principal.
  Running begin(String principal, Conversation conversation, Runnable turn) {
    Thread thread = Thread.ofVirtual().name("turn-" + conversation.id()).unstarted(turn);
    Once once = new Once(principal, conversation, thread);
    running.add(once);
    thread.start();
    return () -> {
      try {
        conversation.cancel();
        thread.join();
      } finally {
        running.remove(once);
      }
    };
  }

  /// Ends those of that principal.
  ///
  /// @throws Problem `conversation_busy` when one does not end in time
  void end(String principal) {
    TurnHost.awaitEnd(most -> areEnded(principal, most));
  }

  private boolean areEnded(String principal, Duration most) throws InterruptedException {
    long end = System.nanoTime() + most.toNanos();
    for (Once turn : running) {
      if (turn.principal.equals(principal) && !isEnded(turn, end)) {
        return false;
      }
    }
    return true;
  }

  /// Cancels it until it ends: one that is about to begin misses the first attempt.
  private static boolean isEnded(Once turn, long end) throws InterruptedException {
    do {
      turn.conversation.cancel();
      if (turn.thread.join(AGAIN)) {
        return true;
      }
    } while (System.nanoTime() - end < 0);
    return false;
  }

  /// Waits for all of them, at most that long.
  void finish(long nanos) {
    long end = System.nanoTime() + nanos;
    try {
      for (Once turn : running) {
        boolean unused = turn.thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
