package dev.switchboard.store;

import dev.switchboard.time.Time;
import java.time.Duration;
import java.time.Instant;

/// The clock of a database, as far as this machine knows it: its own, set right by what the
/// database says. So machines whose clocks differ mean the same moments. Safe for use by several
/// threads.
final class DatabaseTime implements Time {
  private final Time own;
  private volatile Duration ahead = Duration.ZERO; // of the database's clock

  DatabaseTime(Time own) {
    this.own = own;
  }

  /// Takes what the database said.
  ///
  /// @param asked when it was asked, by the machine's own clock
  /// @param millis since 1970
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
