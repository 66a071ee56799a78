package dev.switchboard.execution;

import dev.switchboard.time.Time;
import java.time.Instant;

/// The wall clock at the start of the process plus the elapsed time: setting the machine's clock
/// back extends no cooldown and no grant.
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
