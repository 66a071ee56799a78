package dev.switchboard.time;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

final class SystemTime implements Time {
  private final AlarmClock alarms = new AlarmClock();

  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  public long nanos() {
    return System.nanoTime();
  }

  @Override
  @SuppressWarnings("ThreadPriorityCheck") // a hint, which saves time where it is taken
  public void await(Time.Signal signal, long untilNanos) {
    if (Thread.currentThread().isVirtual()) {
      // Lets what was just started run first; when that is quick, no timer has to be set.
      Thread.yield();
    }
    while (!signal.given() && !Thread.currentThread().isInterrupted()) {
      long left = untilNanos - System.nanoTime();
      if (left <= 0) {
        return;
      }
      LockSupport.parkNanos(signal, left);
    }
  }

  @Override
  public void pause(Time.Signal signal, Duration length) {
    await(signal, System.nanoTime() + length.toNanos());
  }

  @Override
  public Time.Alarm alarm(long atNanos, Runnable action) {
    return alarms.set(atNanos, action);
  }
}
