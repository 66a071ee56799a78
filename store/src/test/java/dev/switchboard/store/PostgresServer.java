package dev.switchboard.store;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/// A PostgreSQL server on this machine, one for all tests, which ends with them.
final class PostgresServer {
  private static final EmbeddedPostgres SERVER = start();
  private static final AtomicInteger PLACES = new AtomicInteger();

  private PostgresServer() {}

  private static EmbeddedPostgres start() {
    try {
      return EmbeddedPostgres.builder()
          .setServerConfig("fsync", "off")
          .setServerConfig("max_connections", "300")
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The URL of a place that holds nothing yet.
  static String newPlace() {
    String schema = "place" + PLACES.incrementAndGet();
    execute("CREATE SCHEMA " + schema);
    return "postgresql://postgres:secret@localhost:%d/postgres?currentSchema=%s"
        .formatted(SERVER.getPort(), schema);
  }

  /// A connection to that place beside a store's own.
  static Connection connect(String place) throws SQLException {
    String url = "jdbc:" + place.replace("postgres:secret@", "");
    return DriverManager.getConnection(url, "postgres", "secret");
  }

  static void execute(String sql) {
    try (Connection connection = SERVER.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /// How many connections there are of that application.
  static int connections(String application) {
    return count("SELECT count(*) FROM pg_stat_activity WHERE application_name = ?", application);
  }

  /// How many connections of that application wait for another's work.
  static int waiting(String application) {
    return count(
        "SELECT count(*) FROM pg_stat_activity"
            + " WHERE application_name = ? AND wait_event_type = 'Lock'",
        application);
  }

  private static int count(String sql, String application) {
    try (Connection connection = SERVER.getPostgresDatabase().getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, application);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getInt(1) : 0;
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
