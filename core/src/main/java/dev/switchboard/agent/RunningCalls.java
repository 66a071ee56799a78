package dev.switchboard.agent;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// Counts the work on calls that runs on other threads, for one that waits for its end.
///
/// Thread-safe.
final class RunningCalls {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition none = lock.newCondition();
  private int running; // guarded by lock

  /// Does work that [#await()] waits for.
  <T> T during(Supplier<T> work) {
    count(1);
    try {
      return work.get();
    } finally {
      count(-1);
    }
  }

  private void count(int more) {
    lock.lock();
    try {
      running += more;
      none.signalAll();
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
}
