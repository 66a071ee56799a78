package dev.switchboard.execution;

import dev.switchboard.time.Signal;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// What goes on in a conversation right now, and can be cancelled: running calls, and people being
/// asked on somebody's thread. Safe for use by several threads.
final class OpenWork {
  private final Set<RunningCall> running = ConcurrentHashMap.newKeySet();
  private final Set<Signal> questions = ConcurrentHashMap.newKeySet();
  private volatile boolean cancelled;

  void cancel() {
    cancelled = true;
    running.forEach(RunningCall::interruptIfAllowed);
    questions.forEach(Signal::give);
  }

  boolean isCancelled() {
    return cancelled;
  }

  void started(RunningCall call) {
    running.add(call);
    if (cancelled) {
      call.interruptIfAllowed();
    }
  }

  void ended(RunningCall call) {
    running.remove(call);
  }

  boolean isRunning(String callId) {
    return running.stream().anyMatch(one -> one.call().id().equals(callId));
  }

  void whileAsking(Signal question, Runnable waiting) {
    questions.add(question);
    try {
      if (!cancelled) {
        waiting.run();
      }
    } finally {
      questions.remove(question);
    }
  }
}
