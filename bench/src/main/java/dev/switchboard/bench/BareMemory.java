package dev.switchboard.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/// The least that memory's operations need of a database, by JDBC alone: its commands prepared
/// once, on one connection, nothing read that is known, nothing checked.
final class BareMemory implements AutoCloseable {
  private final Connection connection;
  private final PreparedStatement update;
  private final PreparedStatement log;
  private final PreparedStatement search;

  BareMemory(MemoryDatabase database, String place) throws SQLException {
    connection = database.connect(place);
    update =
        connection.prepareStatement(
            "UPDATE memory_block SET value = ?, version = version + 1, edits = edits + 1"
                + " WHERE agent = ? AND label = ? AND version = ?");
    log =
        connection.prepareStatement(
            "INSERT INTO memory_edit (agent, label, number, at, author, operation, earlier, later)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    search = connection.prepareStatement(database.search());
  }

  /// One edit of a block at that version.
  void edit(String agent, String label, long version, String before, String after)
      throws SQLException {
    connection.setAutoCommit(false);
    set(update, after, agent, label, version);
    boolean done = update.executeUpdate() == 1;
    set(log, agent, label, (int) version, System.nanoTime(), agent, "edit", before, after);
    if (!done || log.executeUpdate() != 1) {
      throw new IllegalStateException("the edit was not made");
    }
    connection.commit();
  }

  /// How many a search finds, at most twenty.
  int search(String agent, String word) throws SQLException {
    connection.setAutoCommit(true);
    set(search, scope(agent) + "_" + word);
    int found = 0;
    try (ResultSet rows = search.executeQuery()) {
      while (rows.next()) {
        found += rows.getString(1).isEmpty() || rows.getString(2).isEmpty() ? 0 : 1;
      }
    }
    return found;
  }

  private long scope(String agent) throws SQLException {
    return 0;
  }

  private static void set(PreparedStatement statement, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
