package dev.switchboard.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/// The least that memory's operations need of a database, by JDBC alone: its commands prepared
/// once, on one connection, nothing read that is known, nothing checked.
final class BareMemory implements AutoCloseable {
  private final Connection connection;
  private final Connection searching;
  private final PreparedStatement update;
  private final PreparedStatement log;
  private final PreparedStatement search;
  private final PreparedStatement scope;
  private final String settling;

  BareMemory(MemoryDatabase database, String place) throws SQLException {
    settling = database.settling();
    searching = database.connect(place);
    search = searching.prepareStatement(database.search());
    scope = searching.prepareStatement("SELECT number FROM memory_scope WHERE agent = ?");
    connection = database.connect(place);
    update =
        connection.prepareStatement(
            "UPDATE memory_block SET value = ?, version = version + 1, edits = edits + 1"
                + " WHERE agent = ? AND label = ? AND version = ?");
    log =
        connection.prepareStatement(
            "INSERT INTO memory_edit (agent, label, number, at, author, operation, earlier, later)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  }

  /// Has the database do what it does by itself after a while.
  void settle() throws SQLException {
    try (Statement statement = searching.createStatement()) {
      statement.execute(settling);
    }
  }

  /// A block that was just made, to be edited.
  Edited begin(String agent, String label, String value) {
    return new Edited(agent, label, value);
  }

  /// A block whose version is known.
  final class Edited {
    private final String agent;
    private final String label;
    private String value;
    private int edits;

    private Edited(String agent, String label, String value) {
      this.agent = agent;
      this.label = label;
      this.value = value;
    }

    String value() {
      return value;
    }

    /// Gives it another value, and logs that, in one transaction.
    void edit(String next) {
      try {
        edits++;
        connection.setAutoCommit(false);
        set(update, next, agent, label, (long) edits);
        set(log, agent, label, edits, System.nanoTime(), agent, "edit", value, next);
        if (update.executeUpdate() != 1 || log.executeUpdate() != 1) {
          throw new IllegalStateException("the edit was not made");
        }
        // Commits, and does not begin another transaction, as SQLite's driver would.
        connection.setAutoCommit(true);
        value = next;
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /// A word of the agent's entries as it stands in the index.
  String sought(String agent, String word) throws SQLException {
    set(scope, agent);
    try (ResultSet row = scope.executeQuery()) {
      return row.next() ? row.getLong(1) + "_" + word : "";
    }
  }

  /// How many a search finds, at most twenty, read as a caller would.
  int search(String sought) {
    try {
      set(search, sought);
      int found = 0;
      try (ResultSet rows = search.executeQuery()) {
        while (rows.next()) {
          found += rows.getString(1).isEmpty() || rows.getString(2).isEmpty() ? 0 : 1;
        }
      }
      if (found != MemoryFilling.FEW) {
        throw new IllegalStateException("a search found " + found);
      }
      return found;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void set(PreparedStatement statement, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
    searching.close();
  }
}
