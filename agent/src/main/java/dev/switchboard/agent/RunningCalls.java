package dev.switchboard.agent;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// Counts the work on calls that runs on other threads, for one that waits for its end.
///
/// Thread-safe.
final class RunningCalls {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition none = lock.newCondition();
  private Runnable first = () -> {}; // guarded by lock
  private Runnable last = () -> {}; // guarded by lock
  private int running; // guarded by lock

  /// Surrounds all work that runs at once.
  ///
  /// @param first done before the first begins, which does not begin if this fails
  /// @param last done after the last has ended
  void within(Runnable first, Runnable last) {
    lock.lock();
    try {
      this.first = first;
      this.last = last;
    } finally {
      lock.unlock();
    }
  }

  /// Does work that [#await()] waits for.
  <T> T during(Supplier<T> work) {
    begin();
    try {
      return work.get();
    } finally {
      end();
    }
  }

  private void begin() {
    lock.lock();
    try {
      if (running == 0) {
        first.run();
      }
      running++;
    } finally {
      lock.unlock();
    }
  }

  private void end() {
    lock.lock();
    try {
      running--;
      if (running == 0) {
        none.signalAll();
        last.run();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Whether any work runs.
  boolean any() {
    lock.lock();
    try {
      return running > 0;
    } finally {
      lock.unlock();
    }
  }

  /// Waits until no work runs. Calls end at their deadlines, if not before.
  void await() {
    lock.lock();
    try {
      while (running > 0) {
        none.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /// As [#await()], at most that long; returns whether no work runs.
  boolean await(Duration most) throws InterruptedException {
    long left = most.toNanos();
    lock.lock();
    try {
      while (running > 0 && left > 0) {
        left = none.awaitNanos(left);
      }
      return running == 0;
    } finally {
      lock.unlock();
    }
  }
}
