package dev.switchboard.testing;

import dev.switchboard.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A clock that only the test advances, so that waiting takes no real time.
///
/// Pauses between attempts end at once, advance the clock by their length, and are recorded in
/// [#pauses()]. Thread-safe.
public final class ManualTime implements Time {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Instant start;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final List<Sleeper> sleepers = new ArrayList<>(); // guarded by lock
  private final List<ManualAlarm> alarms = new ArrayList<>(); // guarded by lock
  private final List<Duration> pauses = new ArrayList<>(); // guarded by lock
  private final AtomicLong nanos = new AtomicLong();

  private record Sleeper(Thread thread) {}

  private final class ManualAlarm implements Time.Alarm {
    private final long at;
    private final Runnable action;

    ManualAlarm(long at, Runnable action) {
      this.at = at;
      this.action = action;
    }

    @Override
    public void cancel() {
      take(this);
    }
  }

  /// A clock that begins at that time.
  public ManualTime(Instant start) {
    this.start = start;
  }

  /// A clock that begins at noon (UTC) of 1 January 2026.
  public ManualTime() {
    this(Instant.parse("2026-01-01T12:00:00Z"));
  }

  /// Advances the clock, wakes the threads that waited for that time, and runs the alarms that are
  /// due, on this thread.
  public void advance(Duration step) {
    lock.lock();
    try {
      nanos.addAndGet(step.toNanos());
      sleepers.forEach(sleeper -> LockSupport.unpark(sleeper.thread));
    } finally {
      lock.unlock();
    }
    for (ManualAlarm due = nextDue(); due != null; due = nextDue()) {
      if (take(due)) {
        due.action.run();
      }
    }
  }

  private @Nullable ManualAlarm nextDue() {
    lock.lock();
    try {
      return alarms.stream()
          .filter(alarm -> alarm.at - nanos.get() <= 0)
          .min(Comparator.comparingLong(alarm -> alarm.at))
          .orElse(null);
    } finally {
      lock.unlock();
    }
  }

  private boolean take(ManualAlarm alarm) {
    lock.lock();
    try {
      return alarms.remove(alarm);
    } finally {
      lock.unlock();
    }
  }

  /// The number of alarms that are set.
  public int alarms() {
    lock.lock();
    try {
      return alarms.size();
    } finally {
      lock.unlock();
    }
  }

  /// Waits, in real time, until that many threads wait on this clock; a call with an alarm counts
  /// as one.
  ///
  /// @throws AssertionError when they do not within a minute
  public void awaitSleepers(int count) {
    long left = PATIENCE.toNanos();
    lock.lock();
    try {
      while (sleepers.size() + alarms.size() < count) {
        if (left <= 0) {
          int waiting = sleepers.size() + alarms.size();
          throw new AssertionError(waiting + " threads wait, not " + count);
        }
        left = arrived.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    } finally {
      lock.unlock();
    }
  }

  /// The time by which the clock was advanced.
  public Duration elapsed() {
    return Duration.ofNanos(nanos.get());
  }

  /// The pauses, in order.
  public List<Duration> pauses() {
    lock.lock();
    try {
      return List.copyOf(pauses);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Instant now() {
    return start.plusNanos(nanos.get());
  }

  @Override
  public long nanos() {
    return nanos.get();
  }

  @Override
  public void await(Time.Signal signal, long untilNanos) {
    Sleeper self = new Sleeper(Thread.currentThread());
    enter(self);
    try {
      while (!signal.given()
          && nanos.get() - untilNanos < 0
          && !Thread.currentThread().isInterrupted()) {
        LockSupport.parkNanos(this, TimeUnit.SECONDS.toNanos(1));
      }
    } finally {
      leave(self);
    }
  }

  private void enter(Sleeper sleeper) {
    lock.lock();
    try {
      sleepers.add(sleeper);
      arrived.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void leave(Sleeper sleeper) {
    lock.lock();
    try {
      sleepers.remove(sleeper);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Time.Alarm alarm(long atNanos, Runnable action) {
    ManualAlarm alarm = new ManualAlarm(atNanos, action);
    lock.lock();
    try {
      alarms.add(alarm);
      arrived.signalAll();
    } finally {
      lock.unlock();
    }
    if (atNanos - nanos.get() <= 0 && take(alarm)) {
      action.run();
    }
    return alarm;
  }

  @Override
  public void pause(Time.Signal signal, Duration length) {
    if (length.isZero()) {
      return;
    }
    lock.lock();
    try {
      pauses.add(length);
    } finally {
      lock.unlock();
    }
    advance(length);
  }
}
