package dev.switchboard.store;

import dev.switchboard.time.Time;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The pool of connections by which this process reads a SQLite file. They are opened when they are
/// needed.
///
/// Thread-safe.
final class SqliteReaders {
  private static final int MOST = 8;

  private final Path file;
  private final Semaphore free = new Semaphore(MOST);
  private final ConcurrentLinkedDeque<SqlSession> idle = new ConcurrentLinkedDeque<>();
  private volatile boolean closed;

  SqliteReaders(Path file) {
    this.file = file;
  }

  /// Something that is read by a connection.
  interface Reading<T> {
    T by(SqlSession session) throws SQLException;
  }

  /// What is read by a connection that is free.
  ///
  /// @param until when it is given up if no connection is free
  /// @throws TimeoutException when it was given up
  <T> T read(long until, Reading<T> reading) throws SQLException, TimeoutException {
    if (!isAcquired(until)) {
      throw new TimeoutException();
    }
    try {
      SqlSession session = session(until);
      try {
        return reading.by(session);
      } finally {
        idle.push(session);
        if (closed) {
          closeIdle();
        }
      }
    } finally {
      free.release();
    }
  }

  /// An interrupt does not prevent a result from being read.
  private boolean isAcquired(long until) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return free.tryAcquire(until - Time.SYSTEM.nanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private SqlSession session(long until) throws SQLException {
    if (closed) {
      throw new SQLException("it is closed");
    }
    SqlSession session = idle.poll();
    return session == null
        ? SqliteFile.session(SqliteFile.connect(file, until), LastWrites.none())
        : session;
  }

  /// Closes the idle connections, and those in use when their reading ends.
  void close() throws SQLException {
    closed = true;
    closeIdle();
  }

  private void closeIdle() throws SQLException {
    for (SqlSession session = idle.poll(); session != null; session = idle.poll()) {
      session.connection().close();
    }
  }
}
