package dev.switchboard.store;

import dev.switchboard.time.Time;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// How long work waits for a database that is locked or away: all who wait for the same lock give
/// up together, [#MOST] after the first of them began, and each where its own time is up before.
///
/// Safe for use by several threads.
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

  /// What the work comes to, which waits no longer than that in this thread.
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

  /// The moment at which work that comes now gives up; there is time for one try at least.
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

  /// Notes that the database was found locked or away by work that has waited since then.
  synchronized void blocked(long began) {
    long now = time.nanos();
    if (!blocked || now - seen >= GAP) {
      blocked = true;
      since = began;
    }
    seen = now;
  }

  /// Notes that the database has answered.
  synchronized void open() {
    blocked = false;
  }
}
