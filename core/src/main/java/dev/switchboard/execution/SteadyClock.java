package dev.switchboard.execution;

import dev.switchboard.time.Time;
import java.time.Instant;

/// The wall clock as it stood when the process began, and the time that has passed since: no one
/// who sets the machine's clock back makes a cooldown longer or a grant last.
final class SteadyClock {
  private final Time time;
  private final Instant start;
  private final long startNanos;

  SteadyClock(Time time) {
    this.time = time;
    start = time.now();
    startNanos = time.nanos();
  }

  Instant now() {
    return start.plusNanos(time.nanos() - startNanos);
  }
}
