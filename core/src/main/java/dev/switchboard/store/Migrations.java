package dev.switchboard.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/// The tables, as a list of numbered steps. A released step never changes; a new one goes to the
/// end.
final class Migrations {
  private static final List<List<String>> STEPS =
      List.of(
          List.of(
              """
              CREATE TABLE conversation (
                agent TEXT NOT NULL,
                id TEXT NOT NULL,
                version INTEGER NOT NULL,
                state TEXT NOT NULL,
                due INTEGER, -- when the first open request expires, in milliseconds since 1970
                PRIMARY KEY (agent, id))
              """,
              "CREATE INDEX conversation_due ON conversation (agent, due) WHERE due IS NOT NULL",
              """
              CREATE TABLE agent_state (
                agent TEXT NOT NULL PRIMARY KEY,
                version INTEGER NOT NULL,
                state TEXT NOT NULL)
              """,
              """
              CREATE TABLE settled_call (
                number INTEGER PRIMARY KEY, -- in the order they settled
                agent TEXT NOT NULL,
                conversation TEXT NOT NULL,
                call_id TEXT NOT NULL,
                turn INTEGER NOT NULL,
                tool TEXT NOT NULL,
                arguments TEXT NOT NULL,
                result TEXT NOT NULL,
                UNIQUE (agent, conversation, call_id))
              """,
              "CREATE INDEX settled_call_turn ON settled_call (agent, conversation, turn)"),
          List.of(
              """
              CREATE TABLE loop (
                agent TEXT NOT NULL,
                conversation TEXT NOT NULL,
                version INTEGER NOT NULL,
                state TEXT NOT NULL,
                PRIMARY KEY (agent, conversation))
              """,
              """
              CREATE TABLE line (
                number INTEGER PRIMARY KEY, -- in the order they were written
                agent TEXT NOT NULL,
                conversation TEXT NOT NULL,
                key TEXT NOT NULL,
                entry TEXT NOT NULL,
                UNIQUE (agent, conversation, key))
              """,
              "CREATE INDEX line_number ON line (agent, conversation, number)"));

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
