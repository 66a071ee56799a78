package dev.switchboard.execution;

import dev.switchboard.time.Time;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/// The thread of an event log. It runs only while events are due that no other write has stored.
///
/// All methods are called under the log's lock.
final class EventThread {
  private final String name;
  private final Time time;
  private final ReentrantLock lock;
  private final Condition wakeUp;
  private final Runnable work;
  private final BooleanSupplier needed;
  private boolean running;
  private boolean blocked; // whether it waits for another thread
  private Time.Alarm start = Time.Alarm.NONE; // that starts it

  /// @param lock of the log
  /// @param work what it does until it is stopped or suspended
  /// @param needed whether it has anything to do at a start that was set
  EventThread(String name, Time time, ReentrantLock lock, Runnable work, BooleanSupplier needed) {
    this.name = name;
    this.time = time;
    this.lock = lock;
    this.work = work;
    this.needed = needed;
    wakeUp = lock.newCondition();
  }

  /// Starts it at that time, unless it runs or a start is set.
  void startAt(long due) {
    if (!running && start.equals(Time.Alarm.NONE)) {
      Time.Alarm alarm = time.alarm(due, this::startNow);
      start = running ? Time.Alarm.NONE : alarm; // it may have gone off at once
    }
  }

  private void startNow() {
    lock.lock();
    try {
      start = Time.Alarm.NONE;
      if (needed.getAsBoolean()) {
        wake();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Wakes it, or starts it.
  void wake() {
    if (running) {
      changed();
    } else {
      running = true;
      Thread unused = Thread.ofVirtual().name(name).start(work);
    }
  }

  /// Takes back the start that is set.
  void cancelStart() {
    start.cancel();
    start = Time.Alarm.NONE;
  }

  /// Waits, in this thread, for [#changed()] or [#wake()].
  void await() {
    blocked = true;
    while (blocked) {
      wakeUp.awaitUninterruptibly();
    }
  }

  /// Wakes it if it waits for another thread.
  void changed() {
    blocked = false;
    wakeUp.signal();
  }

  /// Records that this thread ends now.
  void stop() {
    running = false;
  }

  /// Records that this thread ends now, and is started again at that time.
  void suspendUntil(long due) {
    running = false;
    cancelStart();
    startAt(due);
  }
}
