package dev.switchboard.testing;

import dev.switchboard.time.Time;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Releases one waiting thread each time it is opened, whether the thread comes before or after.
///
/// Thread-safe.
final class Gate {
  private final ReentrantLock lock = new ReentrantLock();
  private final Queue<Time.Signal> waiting = new ArrayDeque<>(); // guarded by lock
  private int ahead; // openings without a waiting thread; guarded by lock

  /// Releases one thread: the one that has waited longest, or else the next one.
  void open() {
    lock.lock();
    try {
      Time.Signal first = waiting.poll();
      if (first == null) {
        ahead++;
      } else {
        first.give();
      }
    } finally {
      lock.unlock();
    }
  }

  /// A place in the queue, whose signal is given at its turn; null if there is no need to wait.
  Time.@Nullable Signal enter() {
    lock.lock();
    try {
      if (ahead > 0) {
        ahead--;
        return null;
      }
      Time.Signal place = new Time.Signal();
      waiting.add(place);
      return place;
    } finally {
      lock.unlock();
    }
  }

  /// Gives up a place in the queue.
  void leave(Time.Signal place) {
    lock.lock();
    try {
      waiting.remove(place);
    } finally {
      lock.unlock();
    }
  }
}
