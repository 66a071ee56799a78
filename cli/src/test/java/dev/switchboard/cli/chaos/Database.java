package dev.switchboard.cli.chaos;

import dev.switchboard.harness.Processes;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/// A PostgreSQL server on this machine, which may be killed and started again on its data.
final class Database implements AutoCloseable {
  private final Path folder;
  private volatile EmbeddedPostgres server;

  private Database(Path folder, EmbeddedPostgres server) {
    this.folder = folder;
    this.server = server;
  }

  static Database start(Path folder) {
    return new Database(folder, start(folder, 0));
  }

  private static EmbeddedPostgres start(Path folder, int port) {
    try {
      return EmbeddedPostgres.builder()
          .setDataDirectory(folder)
          .setCleanDataDirectory(false)
          .setPort(port)
          .setServerConfig("synchronous_commit", "on")
          .setServerConfig("max_connections", "100")
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int port() {
    return server.getPort();
  }

  /// The URL of the database for those who reach it at that port.
  String url(int port) {
    return "postgresql://postgres:secret@127.0.0.1:%d/postgres".formatted(port);
  }

  void execute(String sql) {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      boolean unused = statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /// What a query finds, a text for each row.
  List<String> rows(String query) {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(query)) {
      List<String> rows = new ArrayList<>();
      while (found.next()) {
        rows.add(found.getString(1));
      }
      return rows;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Prepares it for [#full].
  void withDisk() {
    execute("CREATE TABLE disk AS SELECT false AS is_full");
    execute(
        """
        CREATE FUNCTION extend() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF (SELECT is_full FROM disk) THEN
            RAISE EXCEPTION 'could not extend file: No space left on device'
              USING ERRCODE = 'disk_full';
          END IF;
          RETURN NEW;
        END $$\
        """);
    for (String table : List.of("conversation", "line", "event", "input")) {
      execute(
          "CREATE TRIGGER disk BEFORE INSERT OR UPDATE ON %s FOR EACH ROW EXECUTE FUNCTION extend()"
              .formatted(table));
    }
  }

  /// Whether it refuses what is written, as it does where its disk is full.
  void full(boolean now) {
    execute("UPDATE disk SET is_full = " + now);
  }

  /// Starts the server again that was killed.
  void startAgain() {
    int port = server.getPort();
    close();
    server = start(folder, port);
  }

  /// Kills the server and all its processes.
  void kill() {
    Processes.killTree(folder.resolve("postmaster.pid"));
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
