package dev.switchboard.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/// Brings a file to the newest version of [Tables].
final class Migrations {
  private static final List<List<String>> STEPS = Tables.steps(Tables.Database.SQLITE);

  private Migrations() {}

  /// Brings the file to the newest version; several processes may do so at a time.
  ///
  /// @return the version that it has, if it is a newer one than is known here, else 0
  static int apply(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (version(statement) == STEPS.size()) {
        return 0;
      }
      statement.execute("BEGIN IMMEDIATE");
      try {
        int newer = steps(statement);
        statement.execute("COMMIT");
        return newer;
      } catch (SQLException e) {
        statement.execute("ROLLBACK");
        throw e;
      }
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
    statement.execute("PRAGMA user_version = " + STEPS.size());
    return 0;
  }

  private static int version(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery("PRAGMA user_version")) {
      return row.getInt(1);
    }
  }
}
