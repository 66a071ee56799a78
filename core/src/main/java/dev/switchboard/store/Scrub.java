package dev.switchboard.store;

import dev.switchboard.time.Time;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/// Removes deleted words from the files of a SQLite database. SQLite overwrites deleted rows, but
/// the index of words only marks them as deleted, and the log has the pages as they were.
///
/// Thread-safe.
final class Scrub {
  private static final String TOTAL = "SELECT total_changes()";
  private static final String MERGE = "INSERT INTO memory_words (memory_words, rank) VALUES";
  private static final int PAGES = 500; // for a step, which no other writer waits for long
  // Copies the log into the file and empties it.
  private static final String EMPTY_LOG = "PRAGMA wal_checkpoint(TRUNCATE)";
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final int REST = 4; // times as long as work that is not short

  private final Database database;
  private final ReentrantLock lock = new ReentrantLock();
  private long next = Time.SYSTEM.nanos(); // guarded by lock
  private boolean waits; // guarded by lock
  private Time.Alarm later = Time.Alarm.NONE; // guarded by lock

  Scrub(Database database) {
    this.database = database;
  }

  /// Removes them now, or, if that was done a moment ago, later.
  void run() {
    lock.lock();
    try {
      if (Time.SYSTEM.nanos() - next >= 0) {
        work();
      } else if (!waits) {
        waits = true;
        later = Time.SYSTEM.alarm(next, () -> Thread.ofVirtual().name("scrub").start(this::finish));
      }
    } finally {
      lock.unlock();
    }
  }

  /// Does what waits, before the database is closed.
  void close() {
    lock.lock();
    try {
      later.cancel();
    } finally {
      lock.unlock();
    }
    finish();
  }

  private void finish() {
    lock.lock();
    try {
      if (waits) {
        work();
      }
    } catch (StoreException e) {
      waits = true; // the next deletion, or the end, does it
    } finally {
      lock.unlock();
    }
  }

  private void work() {
    waits = false;
    long began = Time.SYSTEM.nanos();
    boolean merged = merged(-PAGES);
    while (merged) {
      merged = merged(PAGES);
    }
    boolean unused = database.emptied(EMPTY_LOG, Time.SYSTEM.nanos() + PATIENCE.toNanos());
    long now = Time.SYSTEM.nanos();
    next = now - began < SHORT.toNanos() ? now : now + REST * (now - began);
  }

  /// Merges a part of the index without the deleted words; false if nothing was left to do.
  private boolean merged(int pages) {
    boolean[] more = {false};
    boolean unused =
        database.together(session -> {
          long before = total(session);
          boolean unusedChange = session.change(MERGE + " ('merge', ?)", pages);
          more[0] = total(session) - before > 1;
          return true;
        });
    return more[0];
  }

  private static long total(Session session) throws SQLException {
    List<Long> total = session.query(TOTAL, row -> row.number(1));
    return total.getFirst();
  }
}
