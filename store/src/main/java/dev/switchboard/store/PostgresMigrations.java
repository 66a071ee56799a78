package dev.switchboard.store;

import dev.switchboard.time.Time;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/// Migrates the tables in PostgreSQL to the newest version of [Tables]. Their versions are two
/// behind those of a file, since PostgreSQL was added with the third.
final class PostgresMigrations {
  /// The key of the lock that guards migrations against other processes: any number that no other
  /// program uses.
  private static final long LOCK = 0x73776974_63686264L;

  private static final List<List<String>> STEPS = Tables.steps(DatabaseSyntax.POSTGRESQL);
  private static final int BEHIND = 2;
  // Large tables take their time.
  private static final int LONGEST_MILLIS = 600_000;
  private static final Duration PAUSE = Duration.ofMillis(100);

  private PostgresMigrations() {}

  /// Migrates the tables to the newest version; several processes may do so at the same time.
  ///
  /// @return the version of the tables, if it is newer than the known ones, otherwise 0
  static int apply(Connection connection) throws SQLException {
    return alone(connection, PostgresMigrations::steps);
  }

  /// A change of the tables.
  interface Change<T> {
    T by(Statement statement) throws SQLException;
  }

  /// Makes a change to the tables, all or nothing, while no other process does. After a failure the
  /// pool takes back what was not committed.
  static <T> T alone(Connection connection, Change<T> change) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      lock(statement);
      T result = change.by(statement);
      connection.commit();
      connection.setAutoCommit(true);
      return result;
    }
  }

  /// Waits for the lock in steps, so that a server that falls silent is noticed.
  private static void lock(Statement statement) throws SQLException {
    long end = Time.SYSTEM.nanos() + LONGEST_MILLIS * 1_000_000L;
    while (true) {
      try (ResultSet row =
          statement.executeQuery("SELECT pg_try_advisory_xact_lock(" + LOCK + ")")) {
        if (row.next() && row.getBoolean(1)) {
          return;
        }
      }
      if (Time.SYSTEM.nanos() - end >= 0) {
        throw new SQLException("another process is changing its tables, and does not end");
      }
      Time.SYSTEM.pause(new Time.Signal(), PAUSE);
    }
  }

  private static int steps(Statement statement) throws SQLException {
    boolean unused =
        statement.execute(
            "CREATE TABLE IF NOT EXISTS switchboard_version (version INTEGER NOT NULL)");
    int version = version(statement);
    if (version >= STEPS.size()) {
      return version > STEPS.size() ? version : 0;
    }
    if (version > 0) {
      // The pool sets this right again.
      statement.getConnection().setNetworkTimeout(Runnable::run, LONGEST_MILLIS);
    }
    for (List<String> step : STEPS.subList(version, STEPS.size())) {
      for (String command : step) {
        unused = statement.execute(command);
      }
    }
    SqlSession session =
        new SqlSession(statement.getConnection(), Texts.WITHOUT_ZERO, 0, "", LastWrites.none());
    if (version < Tables.OWNED) {
      new OwnershipMigration(session, new PostgresWords()).move();
    }
    if (version < Tables.LISTED) {
      RequestTable.fill(session);
    }
    unused = statement.execute("DELETE FROM switchboard_version");
    unused =
        statement.execute(
            "INSERT INTO switchboard_version VALUES (" + (STEPS.size() - BEHIND) + ")");
    return 0;
  }

  private static int version(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery("SELECT max(version) FROM switchboard_version")) {
      int version = row.next() ? row.getInt(1) : 0;
      return version == 0 ? 0 : version + BEHIND;
    }
  }
}
