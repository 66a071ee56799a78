package dev.switchboard.store;

import dev.switchboard.execution.StoreException;
import dev.switchboard.time.Time;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/// Removes deleted words from the files of a SQLite database. SQLite overwrites deleted rows, but
/// the index of words only marks them as deleted, pages keep copies of rows that moved, and the log
/// has the pages as they were.
///
/// A file with much in it is rewritten once nothing was written for a while, or when it is closed;
/// until then writers stop it.
///
/// Thread-safe.
final class Scrub {
  /// The most bytes that are rewritten at once, which takes less than a second.
  static final long SMALL = 32L << 20;

  private static final System.Logger LOG = System.getLogger("dev.switchboard.store");
  private static final String TOTAL = "SELECT total_changes()";
  private static final String MERGE = "INSERT INTO memory_words (memory_words, rank) VALUES";
  private static final int PAGES = 500; // for a step, which no other writer waits for long
  // Copies the log into the file and empties it.
  private static final String EMPTY_LOG = "PRAGMA wal_checkpoint(TRUNCATE)";
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Duration QUIET = Duration.ofMinutes(1);
  private static final int REST = 4; // times as long as the work

  private final Database database;
  private final AtomicBoolean asked = new AtomicBoolean();
  private final ReentrantLock lock = new ReentrantLock();
  private long next = Time.SYSTEM.nanos(); // guarded by lock
  private boolean waits; // guarded by lock
  private Time.Alarm later = Time.Alarm.NONE; // guarded by lock
  private boolean unwritten; // whether the file waits to be rewritten; guarded by lock
  private Time.Alarm quiet = Time.Alarm.NONE; // guarded by lock
  private boolean warned; // guarded by lock
  private boolean closed; // guarded by lock

  Scrub(Database database) {
    this.database = database;
  }

  /// Removes them now, or, if that is done or was done a moment ago, later.
  void run() {
    asked.set(true);
    look();
  }

  /// Does what is asked, unless the thread that has the lock looks afterwards.
  private void look() {
    while (asked.get() && lock.tryLock()) {
      try {
        if (asked.getAndSet(false) && !closed) {
          workNowOrLater();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  private void workNowOrLater() {
    if (!waits && Time.SYSTEM.nanos() - next >= 0) {
      work();
    } else {
      workLater(next);
    }
  }

  /// Does what waits, before the database is closed.
  void close() {
    lock.lock();
    try {
      closed = true;
      later.cancel();
      quiet.cancel();
      if (asked.getAndSet(false) || waits || unwritten) {
        waits = false;
        unwritten = false;
        merge();
        boolean unused = rewrite(false);
        emptyLog();
      }
    } catch (StoreException e) {
      warn(e);
    } finally {
      lock.unlock();
    }
  }

  private void workLater(long moment) {
    if (!waits) {
      waits = true;
      later = Time.SYSTEM.alarm(moment, () -> start(this::workInTime));
    }
  }

  private void start(Runnable work) {
    Thread unused =
        Thread.ofVirtual()
            .name("scrub")
            .start(() -> {
              work.run();
              look();
            });
  }

  private void workInTime() {
    lock.lock();
    try {
      if (waits && !closed) {
        work();
      }
    } finally {
      lock.unlock();
    }
  }

  private void work() {
    waits = false;
    long began = Time.SYSTEM.nanos();
    try {
      merge();
      unwritten = database.size() > SMALL || !rewrite(false);
      emptyLog();
    } catch (StoreException e) {
      warn(e);
      unwritten = true;
    }
    long now = Time.SYSTEM.nanos();
    next = now + REST * (now - began);
    if (unwritten) {
      rewriteLater();
    }
  }

  private void rewriteLater() {
    long seen = database.writings();
    quiet.cancel();
    quiet =
        Time.SYSTEM.alarm(
            Time.SYSTEM.nanos() + QUIET.toNanos(), () -> start(() -> rewriteIfQuiet(seen)));
  }

  /// Rewrites the file, if nothing was written since.
  private void rewriteIfQuiet(long seen) {
    lock.lock();
    try {
      if (!unwritten || closed) {
        return;
      }
      unwritten = database.writings() != seen || !rewrite(true);
      if (unwritten) {
        rewriteLater();
      } else {
        emptyLog();
      }
    } catch (StoreException e) {
      warn(e);
    } finally {
      lock.unlock();
    }
  }

  private void emptyLog() {
    boolean unused = database.emptied(EMPTY_LOG, Time.SYSTEM.nanos() + PATIENCE.toNanos());
  }

  private boolean rewrite(boolean givesWay) {
    try {
      return database.rewritten(givesWay);
    } catch (StoreException e) {
      warn(e);
      return false;
    }
  }

  private void warn(StoreException e) {
    if (!warned) {
      warned = true;
      LOG.log(
          Level.WARNING,
          "words that were deleted may still be in the file until it is rewritten: another process"
              + " has it open, or the disk has no room for a copy");
    }
    LOG.log(Level.DEBUG, "the file was not rewritten", e);
  }

  private void merge() {
    boolean merged = merged(-PAGES);
    while (merged) {
      merged = merged(PAGES);
    }
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

  private static long total(SqlSession session) throws SQLException {
    List<Long> total = session.query(TOTAL, row -> row.number(1));
    return total.getFirst();
  }
}
