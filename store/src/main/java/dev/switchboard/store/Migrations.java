package dev.switchboard.store;

import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/// Migrates a file to the newest version of [Tables].
final class Migrations {
  private static final System.Logger LOG = System.getLogger("dev.switchboard.store");
  private static final List<List<String>> STEPS = Tables.steps(DatabaseSyntax.SQLITE);

  private Migrations() {}

  /// Migrates the file to the newest version; several processes may do so at the same time.
  ///
  /// @return the version of the file, if it is newer than the known ones, otherwise 0
  static int apply(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      int before = version(statement);
      if (before == STEPS.size()) {
        return 0;
      }
      statement.execute("BEGIN IMMEDIATE");
      try {
        int newer = steps(statement);
        statement.execute("COMMIT");
        if (before > 0 && newer == 0) {
          vacuum(statement);
        }
        return newer;
      } catch (SQLException e) {
        statement.execute("ROLLBACK");
        throw e;
      }
    }
  }

  /// Removes what earlier versions have deleted without overwriting it.
  private static void vacuum(Statement statement) {
    try {
      statement.execute("VACUUM");
    } catch (SQLException e) {
      LOG.log(
          Level.WARNING,
          "words that were deleted before may still be in the file: another process has it open, or"
              + " the disk has no room for a copy");
      LOG.log(Level.DEBUG, "the file was not vacuumed", e);
    }
  }

  private static int steps(Statement statement) throws SQLException {
    int version = version(statement);
    if (version > STEPS.size()) {
      return version;
    }
    for (List<String> step : STEPS.subList(version, STEPS.size())) {
      for (String command : step) {
        statement.execute(command);
      }
    }
    SqlSession session =
        new SqlSession(statement.getConnection(), Texts.PLAIN, 0, "", LastWrites.none());
    if (version < Tables.OWNED) {
      new OwnershipMigration(session, new SqliteWords()).move();
    }
    if (version < Tables.LISTED) {
      RequestTable.fill(session);
    }
    statement.execute("PRAGMA user_version = " + STEPS.size());
    return 0;
  }

  private static int version(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery("PRAGMA user_version")) {
      return row.getInt(1);
    }
  }
}
