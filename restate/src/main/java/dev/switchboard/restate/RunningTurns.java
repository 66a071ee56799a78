package dev.switchboard.restate;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/// The turns that run in this worker. Thread-safe.
final class RunningTurns {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private final Set<TurnAttempt> running = new HashSet<>(); // guarded by lock
  private volatile boolean closing;
  private final List<Runnable> onEnd = new CopyOnWriteArrayList<>();

  /// Ends the attempt, so that the engine retries it on another worker.
  static final class HandedOver extends RuntimeException {
    HandedOver() {
      super("this worker stops; another one continues the turn", null, false, false);
    }
  }

  /// Registers a turn that begins.
  ///
  /// @throws HandedOver when the worker stops
  void begin(TurnAttempt attempt) {
    lock.lock();
    try {
      checkContinues();
      running.add(attempt);
    } finally {
      lock.unlock();
    }
  }

  void end(TurnAttempt attempt) {
    lock.lock();
    try {
      running.remove(attempt);
      ended.signalAll();
    } finally {
      lock.unlock();
    }
    onEnd.forEach(Runnable::run);
  }

  /// Registers an action that runs after every turn.
  void onEnd(Runnable work) {
    onEnd.add(work);
  }

  /// The conversations of that agent with a running turn.
  Set<String> conversations(String agent) {
    return all().stream()
        .filter(attempt -> attempt.agent().equals(agent))
        .map(TurnAttempt::conversation)
        .collect(Collectors.toSet());
  }

  /// Cancels the turn of that conversation, if one runs.
  void cancel(String agent, String conversation) {
    all().stream()
        .filter(attempt -> attempt.agent().equals(agent))
        .filter(attempt -> attempt.conversation().equals(conversation))
        .forEach(TurnAttempt::cancel);
  }

  private List<TurnAttempt> all() {
    lock.lock();
    try {
      return List.copyOf(running);
    } finally {
      lock.unlock();
    }
  }

  /// Checks between two effects whether to continue.
  ///
  /// @throws HandedOver when the worker stops
  void checkContinues() {
    if (closing) {
      throw new HandedOver();
    }
  }

  /// Accepts no more turns, and waits at most that long until each running turn is between two
  /// effects.
  void handOver(Duration patience) {
    lock.lock();
    try {
      closing = true;
      long left = patience.toNanos();
      while (!running.isEmpty() && left > 0) {
        left = ended.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  /// Abandons all turns at once.
  void abandon() {
    closing = true;
    all().forEach(TurnAttempt::abandon);
  }
}
