package dev.switchboard.store;

import dev.switchboard.time.Time;
import java.time.Duration;
import java.time.Instant;

/// The clock of a database, as this machine knows it: the machine's own clock, corrected by the
/// database's, so that machines whose clocks differ agree on times. Thread-safe.
final class DatabaseTime implements Time {
  private final Time own;
  private volatile Duration ahead = Duration.ZERO; // of the database's clock

  DatabaseTime(Time own) {
    this.own = own;
  }

  /// Corrects the clock.
  ///
  /// @param asked when the database was asked, by the machine's own clock
  /// @param millis the database's answer, since 1970
  void set(Instant asked, long millis) {
    Instant between = asked.plus(Duration.between(asked, own.now()).dividedBy(2));
    ahead = Duration.between(between, Instant.ofEpochMilli(millis));
  }

  /// The machine's own clock.
  Instant asked() {
    return own.now();
  }

  @Override
  public Instant now() {
    return own.now().plus(ahead);
  }

  @Override
  public long nanos() {
    return own.nanos();
  }

  @Override
  public void await(Signal signal, long untilNanos) {
    own.await(signal, untilNanos);
  }

  @Override
  public void pause(Signal signal, Duration length) {
    own.pause(signal, length);
  }

  @Override
  public Alarm alarm(long atNanos, Runnable action) {
    return own.alarm(atNanos, action);
  }
}
