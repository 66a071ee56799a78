package dev.switchboard.docs;

import dev.switchboard.time.Time;
import java.time.Duration;
import java.time.Instant;

/// A clock that breaks once, when it is read for the second time: at the first thing that an
/// executor does after it was built.
final class BreakingClock implements Time {
  private int reads;

  @Override
  public Instant now() {
    return Instant.EPOCH;
  }

  @Override
  public long nanos() {
    reads++;
    if (reads == 2) {
      throw new IllegalStateException();
    }
    return 0;
  }

  @Override
  public void await(Time.Signal signal, long untilNanos) {
    throw new IllegalStateException();
  }

  @Override
  public void pause(Time.Signal signal, Duration length) {
    throw new IllegalStateException();
  }

  @Override
  public Time.Alarm alarm(long atNanos, Runnable action) {
    throw new IllegalStateException();
  }
}
