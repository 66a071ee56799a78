package dev.switchboard.docs;

import dev.switchboard.time.Alarm;
import dev.switchboard.time.Signal;
import dev.switchboard.time.Time;
import java.time.Duration;
import java.time.Instant;

/// A clock that can be read once: whatever an executor does after it was built breaks.
final class BreakingClock implements Time {
  private boolean read;

  @Override
  public Instant now() {
    return Instant.EPOCH;
  }

  @Override
  public long nanos() {
    if (read) {
      throw new IllegalStateException();
    }
    read = true;
    return 0;
  }

  @Override
  public void await(Signal signal, long untilNanos) {
    throw new IllegalStateException();
  }

  @Override
  public void pause(Signal signal, Duration length) {
    throw new IllegalStateException();
  }

  @Override
  public Alarm alarm(long atNanos, Runnable action) {
    throw new IllegalStateException();
  }
}
