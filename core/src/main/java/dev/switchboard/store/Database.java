package dev.switchboard.store;

import dev.switchboard.time.Signal;
import dev.switchboard.time.Time;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A SQLite file, open: one connection that writes, and others that read meanwhile. Safe for use by
/// several threads and processes.
final class Database implements Sql {
  // NORMAL in WAL mode: what was acknowledged has been handed to the system and survives a killed
  // process; a power failure may take the last moments back, but leaves the file sound.
  private static final String OPTIONS =
      "?journal_mode=WAL&synchronous=NORMAL&busy_timeout=5000&transaction_mode=IMMEDIATE";
  private static final int BUSY = 5;
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofMillis(5);
  private static final int MOST_READERS = 8;
  private static final int MOST_PREPARED = 50;

  private final Path file;
  private final WordIndex words = new SqliteWords();
  private final VectorIndex vectors = new ScannedVectors();
  private final ReentrantLock lock = new ReentrantLock();
  private final Session writer; // guarded by lock
  private final Semaphore readers = new Semaphore(MOST_READERS);
  private final ConcurrentLinkedDeque<Session> idle = new ConcurrentLinkedDeque<>();
  private volatile boolean closed;

  private Database(Path file, Connection connection) {
    this.file = file;
    this.writer = new Session(connection, Texts.PLAIN, MOST_PREPARED);
  }

  static Database open(Path file) {
    Connection connection = null;
    try {
      connection = connect(file);
      int newer = Migrations.apply(connection);
      if (newer == 0) {
        return new Database(file, connection);
      }
      connection.close();
    } catch (SQLException e) {
      closeAfter(e, connection);
      throw new StoreException("The store " + file + " cannot be opened: " + reason(e) + ".", e);
    }
    throw new StoreException(
        "The store " + file + " was written by a newer version of this program.", null);
  }

  /// A connection. Of several that open a new file at a time SQLite sends all but one away at once,
  /// whatever its patience, while that one makes it a file in WAL mode.
  private static Connection connect(Path file) throws SQLException {
    long until = Time.SYSTEM.nanos() + PATIENCE.toNanos();
    while (true) {
      try {
        return DriverManager.getConnection("jdbc:sqlite:" + file + OPTIONS);
      } catch (SQLException e) {
        if (e.getErrorCode() != BUSY || Time.SYSTEM.nanos() - until >= 0) {
          throw e;
        }
        Time.SYSTEM.await(new Signal(), Time.SYSTEM.nanos() + PAUSE.toNanos());
      }
    }
  }

  private static void closeAfter(SQLException fault, @Nullable Connection connection) {
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (SQLException e) {
      fault.addSuppressed(e);
    }
  }

  @Override
  public <T> List<T> query(String sql, Row<T> read, @Nullable Object... values) {
    readers.acquireUninterruptibly();
    try {
      Session session = reader();
      try {
        return session.query(sql, read, values);
      } finally {
        idle.push(session);
        if (closed) {
          closeIdle();
        }
      }
    } catch (SQLException e) {
      throw new StoreException("The store " + file + " cannot be read: " + reason(e) + ".", e);
    } finally {
      readers.release();
    }
  }

  private Session reader() throws SQLException {
    if (closed) {
      throw new SQLException("it is closed");
    }
    Session known = idle.poll();
    return known != null ? known : new Session(connect(file), Texts.PLAIN, MOST_PREPARED);
  }

  @Override
  public boolean change(String sql, @Nullable Object... values) {
    lock.lock();
    try {
      return writer.change(sql, values);
    } catch (SQLException e) {
      throw cannotBeWritten(e);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean together(Work work) {
    lock.lock();
    try (Statement statement = writer.connection().createStatement()) {
      boolean unused = statement.execute("BEGIN IMMEDIATE");
      try {
        boolean kept = work.done(writer);
        unused = statement.execute(kept ? "COMMIT" : "ROLLBACK");
        return kept;
      } catch (SQLException | RuntimeException | Error e) {
        rollBack(statement, e);
        throw e;
      }
    } catch (SQLException e) {
      throw cannotBeWritten(e);
    } finally {
      lock.unlock();
    }
  }

  /// After some faults SQLite has done so itself.
  private static void rollBack(Statement statement, Throwable fault) {
    try {
      boolean unused = statement.execute("ROLLBACK");
    } catch (SQLException e) {
      fault.addSuppressed(e);
    }
  }

  private StoreException cannotBeWritten(SQLException e) {
    return new StoreException("The store " + file + " cannot be written: " + reason(e) + ".", e);
  }

  @Override
  public WordIndex words() {
    return words;
  }

  @Override
  public VectorIndex vectors() {
    return vectors;
  }

  @Override
  public StoreException damaged(String what, @Nullable String fault) {
    return new StoreException("The store " + file + ": " + what + " " + fault + ".", null);
  }

  static String reason(SQLException e) {
    String message = String.valueOf(e.getMessage()).strip();
    return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      closeIdle();
      writer.connection().close();
    } catch (SQLException e) {
      throw new StoreException("The store " + file + " cannot be closed: " + reason(e) + ".", e);
    } finally {
      lock.unlock();
    }
  }

  private void closeIdle() throws SQLException {
    for (Session session = idle.poll(); session != null; session = idle.poll()) {
      session.connection().close();
    }
  }
}
