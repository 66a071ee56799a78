package dev.switchboard.execution;

import dev.switchboard.attempt.Attempts;
import dev.switchboard.time.Signal;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// What goes on in a conversation right now, and can be cancelled: running calls, and people being
/// asked on somebody's thread. Safe for use by several threads.
final class OpenWork {
  private final Set<Attempts> running = ConcurrentHashMap.newKeySet();
  private final Set<Signal> questions = ConcurrentHashMap.newKeySet();
  private volatile boolean cancelled;
  private volatile boolean turnCancelled;

  void cancel() {
    cancelled = true;
    interrupt();
  }

  void cancelTurn() {
    turnCancelled = true;
    interrupt();
  }

  void nextTurn() {
    turnCancelled = false;
  }

  private void interrupt() {
    running.forEach(Attempts::interrupt);
    questions.forEach(Signal::give);
  }

  boolean isCancelled() {
    return cancelled || turnCancelled;
  }

  void started(Attempts call) {
    running.add(call);
    if (isCancelled()) {
      call.interrupt();
    }
  }

  void ended(Attempts call) {
    running.remove(call);
  }

  boolean isRunning(String callId) {
    return running.stream().anyMatch(one -> one.call().call().id().equals(callId));
  }

  void whileAsking(Signal question, Runnable waiting) {
    questions.add(question);
    try {
      if (!isCancelled()) {
        waiting.run();
      }
    } finally {
      questions.remove(question);
    }
  }
}
