package dev.switchboard.store;

import dev.switchboard.time.Time;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// How long work waits for a database that is locked or unavailable: all that wait for the same
/// lock give up together, [#MOST] after the first of them began, and each at its own deadline if
/// that is earlier.
///
/// Thread-safe.
final class Patience {
  static final Duration MOST = Duration.ofSeconds(5);

  // Enough for one try.
  private static final long LEAST = Duration.ofMillis(10).toNanos();
  // After a pause as long as this, another wait begins.
  private static final long GAP = Duration.ofSeconds(1).toNanos();

  private final Time time;
  private final ThreadLocal<@Nullable Long> bounds = new ThreadLocal<>();
  private boolean blocked; // guarded by this
  private long since; // the first one to wait; guarded by this
  private long seen; // the latest to find it locked; guarded by this

  Patience(Time time) {
    this.time = time;
  }

  /// The result of the work, which waits at most that long in this thread.
  <T extends @Nullable Object> T within(Duration most, Supplier<T> work) {
    Long before = bounds.get();
    long until = time.nanos() + most.toNanos();
    bounds.set(before == null ? until : earlier(before, until));
    try {
      return work.get();
    } finally {
      if (before == null) {
        bounds.remove();
      } else {
        bounds.set(before);
      }
    }
  }

  /// When work that arrives now gives up; there is time for at least one try.
  long until() {
    long now = time.nanos();
    long until = earlier(now + MOST.toNanos(), commonEnd(now));
    Long own = bounds.get();
    until = own == null ? until : earlier(until, own);
    return until - (now + LEAST) < 0 ? now + LEAST : until;
  }

  private synchronized long commonEnd(long now) {
    boolean same = blocked && now - seen < GAP;
    return (same ? since : now) + MOST.toNanos();
  }

  private static long earlier(long one, long other) {
    return one - other < 0 ? one : other;
  }

  /// An attempt at work that a locked or unavailable database refuses.
  interface Attempt<T> {
    T outcome() throws SQLException;
  }

  /// The outcome of the work, which is attempted again while the database refuses it.
  ///
  /// @param until when it is given up
  /// @param refuses whether the database is locked or unavailable, by its answer
  /// @param pause waits between two attempts
  /// @throws SQLException of the last attempt
  <T> T repeat(long until, Predicate<SQLException> refuses, Runnable pause, Attempt<T> attempt)
      throws SQLException {
    long began = time.nanos();
    while (true) {
      try {
        T outcome = attempt.outcome();
        open();
        return outcome;
      } catch (SQLException e) {
        if (!refuses.test(e)) {
          throw e;
        }
        blocked(began);
        if (time.nanos() - until >= 0) {
          throw e;
        }
        pause.run();
      }
    }
  }

  /// Records that the database was locked or unavailable for work that has waited since then.
  synchronized void blocked(long began) {
    long now = time.nanos();
    if (!blocked || now - seen >= GAP) {
      blocked = true;
      since = began;
    }
    seen = now;
  }

  /// Records that the database has answered.
  synchronized void open() {
    blocked = false;
  }
}
