package dev.switchboard.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/// The rewriting of a SQLite file, after which it holds nothing but what is stored: SQLite
/// overwrites what it deletes, but not the copies that stay in a page when rows move to another.
///
/// Thread-safe.
final class Rewriting {
  private static final int INTERRUPTED = 9;

  private final Object guard = new Object();
  private @Nullable Statement running; // that gives way to writers; guarded by guard

  /// Rewrites the file by that connection, which nothing else uses.
  ///
  /// @param givesWay whether it may be stopped
  /// @return false if it was stopped, which leaves the file as it was
  boolean done(Connection connection, boolean givesWay) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      set(givesWay ? statement : null);
      try {
        boolean unused = statement.execute("VACUUM");
        return true;
      } catch (SQLException e) {
        if ((e.getErrorCode() & 0xff) == INTERRUPTED) {
          return false;
        }
        throw e;
      } finally {
        // Before the connection is closed, so that no other is stopped.
        set(null);
      }
    }
  }

  private void set(@Nullable Statement statement) {
    synchronized (guard) {
      running = statement;
    }
  }

  /// Stops the one that runs, if it gives way.
  void stop() throws SQLException {
    synchronized (guard) {
      if (running != null) {
        running.cancel();
      }
    }
  }
}
