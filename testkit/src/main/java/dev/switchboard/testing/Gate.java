package dev.switchboard.testing;

import dev.switchboard.time.Time;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Lets one waiting thread through for each time it is opened, before or after that thread came.
///
/// Thread-safe.
final class Gate {
  private final ReentrantLock lock = new ReentrantLock();
  private final Queue<Time.Signal> waiting = new ArrayDeque<>(); // guarded by lock
  private int ahead; // guarded by lock; opened that often before anybody came

  /// Lets one through: who waits the longest, or whoever comes next.
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

  /// A place in the queue, whose signal is given when its turn comes; null for who need not wait.
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

  /// Gives a place up that is not needed any more.
  void leave(Time.Signal place) {
    lock.lock();
    try {
      waiting.remove(place);
    } finally {
      lock.unlock();
    }
  }
}
