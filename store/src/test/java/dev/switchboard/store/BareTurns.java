package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.Writing;
import dev.switchboard.tool.Event;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/// The rows of a turn: as many transactions, each with as many of them of the same size.
final class BareTurns implements AutoCloseable {
  private final HikariDataSource connections;
  private final List<Writing> writings;

  BareTurns(EmbeddedPostgres server, List<Writing> writings) throws SQLException {
    this.writings = writings;
    connections = connections(server);
    for (String table : List.of("conversation", "line", "event", "input")) {
      create(table);
    }
  }

  static HikariDataSource connections(EmbeddedPostgres server) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl("jdbc:postgresql://localhost:%d/postgres".formatted(server.getPort()));
    config.setUsername("postgres");
    config.setMaximumPoolSize(10);
    config.setAutoCommit(false);
    config.setConnectionTimeout(60_000);
    return new HikariDataSource(config);
  }

  private void create(String table) throws SQLException {
    try (Connection connection = connections.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE IF NOT EXISTS bare_%1$s (LIKE %1$s INCLUDING ALL)".formatted(table));
      connection.commit();
    }
  }

  void turn(int number) {
    String id = "b" + number;
    try {
      in(connections, connection -> say(connection, id));
      in(
          connections,
          connection -> {
            query(
                connection,
                "SELECT state FROM bare_conversation WHERE agent = 'load' AND id = ? FOR UPDATE",
                id);
            state(connection, id, "x".repeat(300), ", due = NULL");
          });
      int[] row = {0};
      for (Writing writing : writings) {
        in(connections, connection -> writeShared(connection, id, writing, row));
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  static void say(Connection connection, String id) throws SQLException {
    run(
        connection,
        "INSERT INTO bare_conversation (agent, id, version, state, due, fence) VALUES"
            + " ('load', ?, 0, '', 0, 0)",
        id);
    run(
        connection,
        "INSERT INTO bare_input (agent, conversation, number, id, entry) VALUES ('load', ?, 1,"
            + " 'said', ?)",
        id,
        "x".repeat(80));
  }

  /// What a turn of workers writes at a time, which lets go of its input with the state.
  static void writeShared(Connection connection, String id, Writing writing, int[] row)
      throws SQLException {
    if (writing.state() != null) {
      run(connection, "DELETE FROM bare_input WHERE agent = 'load' AND conversation = ?", id);
    }
    write(connection, id, writing, row);
  }

  static void write(Connection connection, String id, Writing writing, int[] row)
      throws SQLException {
    if (writing.state() != null) {
      state(connection, id, StoredForm.CONVERSATION.write(writing.state().next()), "");
    }
    for (ConversationStore.Line line : writing.lines()) {
      line(connection, id, line.key(), line.entry().text(), ++row[0]);
    }
    for (ConversationStore.CallOfTurn call : writing.calls()) {
      line(connection, id, "call", StoredForm.SETTLED.write(call.call()), ++row[0]);
    }
    for (Event.Logged event : writing.events()) {
      run(
          connection,
          "INSERT INTO bare_event (agent, conversation, number, key, run, at, event) VALUES"
              + " ('load', ?, "
              + ++row[0]
              + ", ?, 'said', 1, ?)",
          id,
          String.valueOf(event.key()) + row[0],
          event.event().text());
    }
  }

  private static void line(Connection connection, String id, String key, String entry, int row)
      throws SQLException {
    run(
        connection,
        "INSERT INTO bare_line (agent, conversation, number, key, entry, at) VALUES ('load', ?, "
            + row
            + ", ?, ?, 1)",
        id,
        key + row,
        entry);
  }

  static void state(Connection connection, String id, String state, String more)
      throws SQLException {
    run(
        connection,
        "UPDATE bare_conversation SET version = version + 1, state = ?"
            + more
            + " WHERE agent = 'load' AND id = ?",
        state,
        id);
  }

  interface Work {
    void with(Connection connection) throws SQLException;
  }

  static void in(HikariDataSource connections, Work work) throws SQLException {
    try (Connection connection = connections.getConnection()) {
      work.with(connection);
      connection.commit();
    }
  }

  static void run(Connection connection, String sql, String... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setString(i + 1, values[i]);
      }
      assertThat(statement.executeUpdate()).isLessThanOrEqualTo(1);
    }
  }

  static void query(Connection connection, String sql, String value) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, value);
      try (ResultSet rows = statement.executeQuery()) {
        assertThat(rows.next()).isTrue();
      }
    }
  }

  @Override
  public void close() {
    connections.close();
  }
}
