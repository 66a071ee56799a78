package dev.switchboard.store;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A SQLite file, open. Safe for use by several threads and processes.
final class Database implements AutoCloseable {
  // NORMAL in WAL mode: what was acknowledged has been handed to the system and survives a killed
  // process; a power failure may take the last moments back, but leaves the file sound.
  private static final String OPTIONS =
      "?journal_mode=WAL&synchronous=NORMAL&busy_timeout=5000&transaction_mode=IMMEDIATE";

  private final Path file;
  private final ReentrantLock lock = new ReentrantLock();
  private final Connection connection; // guarded by lock

  private Database(Path file, Connection connection) {
    this.file = file;
    this.connection = connection;
  }

  static Database open(Path file) {
    Connection connection = null;
    try {
      connection = DriverManager.getConnection("jdbc:sqlite:" + file + OPTIONS);
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

  private static void closeAfter(SQLException fault, @Nullable Connection connection) {
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (SQLException e) {
      fault.addSuppressed(e);
    }
  }

  /// A row read.
  interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  /// The rows that a query finds.
  <T> List<T> query(String sql, Row<T> read, Object... values) {
    lock.lock();
    try (PreparedStatement statement = prepared(sql, values);
        ResultSet found = statement.executeQuery()) {
      List<T> rows = new ArrayList<>();
      while (found.next()) {
        rows.add(read.read(found));
      }
      return rows;
    } catch (SQLException e) {
      throw new StoreException("The store " + file + " cannot be read: " + reason(e) + ".", e);
    } finally {
      lock.unlock();
    }
  }

  /// Whether the command changed a row; the change is kept when this returns.
  boolean change(String sql, @Nullable Object... values) {
    lock.lock();
    try (PreparedStatement statement = prepared(sql, values)) {
      return statement.executeUpdate() > 0;
    } catch (SQLException e) {
      throw new StoreException("The store " + file + " cannot be written: " + reason(e) + ".", e);
    } finally {
      lock.unlock();
    }
  }

  private PreparedStatement prepared(String sql, @Nullable Object... values) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
    return statement;
  }

  /// For a value in the file that is not as it should be.
  StoreException damaged(String what, @Nullable String fault) {
    return new StoreException("The store " + file + ": " + what + " " + fault + ".", null);
  }

  private static String reason(SQLException e) {
    String message = String.valueOf(e.getMessage()).strip();
    return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
  }

  @Override
  public void close() {
    lock.lock();
    try {
      connection.close();
    } catch (SQLException e) {
      throw new StoreException("The store " + file + " cannot be closed: " + reason(e) + ".", e);
    } finally {
      lock.unlock();
    }
  }
}
