package dev.switchboard.bench;

import dev.switchboard.store.Storage;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// A database for memory, which goes when it is closed: an agent's store in it, and bare
/// connections beside that.
sealed interface MemoryDatabase extends AutoCloseable {
  /// What it is called in the table.
  String name();

  /// The store of another place in it that holds nothing yet.
  Storage open(String place);

  /// A connection to that place.
  Connection connect(String place) throws SQLException;

  /// The database's own search for a word, as it stands in the index: the best twenty.
  String search();

  /// The command that brings its files and figures in order, as it would itself after a while.
  String settling();

  @Override
  void close() throws IOException;

  /// SQLite, in files of a folder.
  record Sqlite(Path folder) implements MemoryDatabase {
    static Sqlite make() throws IOException {
      return new Sqlite(Files.createTempDirectory("switchboard-bench"));
    }

    @Override
    public String name() {
      return "SQLite";
    }

    @Override
    public Storage open(String place) {
      return Storage.open("sqlite:" + place + ".db", folder);
    }

    @Override
    public Connection connect(String place) throws SQLException {
      // As the store's own.
      return DriverManager.getConnection(
          "jdbc:sqlite:%s/%s.db?journal_mode=WAL&synchronous=NORMAL&transaction_mode=IMMEDIATE"
              .formatted(folder, place));
    }

    @Override
    public String search() {
      return """
      SELECT e.id, e.text, w.rank FROM
        (SELECT rowid, rank FROM memory_words WHERE words MATCH ? ORDER BY rank LIMIT 20) AS w
        JOIN memory_entry e ON e.number = w.rowid ORDER BY w.rank
      """;
    }

    @Override
    public String settling() {
      return "PRAGMA optimize";
    }

    @Override
    public void close() throws IOException {
      List<Path> all;
      try (Stream<Path> found = Files.walk(folder)) {
        all = found.sorted(Comparator.reverseOrder()).toList();
      }
      for (Path one : all) {
        Files.delete(one);
      }
    }
  }

  /// A PostgreSQL server on this machine, which does not wait for the disk.
  record Postgres(EmbeddedPostgres server) implements MemoryDatabase {
    static Postgres make() throws IOException {
      return new Postgres(
          EmbeddedPostgres.builder()
              .setServerConfig("fsync", "off")
              .setServerConfig("synchronous_commit", "on")
              .setServerConfig("max_connections", "200")
              .setServerConfig("max_wal_size", "4GB")
              .start());
    }

    @Override
    public String name() {
      return "PostgreSQL";
    }

    @Override
    public Storage open(String place) {
      try (Connection connection = connect(place);
          var statement = connection.createStatement()) {
        statement.execute("CREATE SCHEMA IF NOT EXISTS " + place);
      } catch (SQLException e) {
        throw new UncheckedIOException(new IOException(e));
      }
      return Storage.open(
          "postgresql://postgres@localhost:%d/postgres?currentSchema=%s"
              .formatted(server.getPort(), place),
          Path.of(""));
    }

    @Override
    public Connection connect(String place) throws SQLException {
      return DriverManager.getConnection(
          "jdbc:postgresql://localhost:%d/postgres?currentSchema=%s"
              .formatted(server.getPort(), place),
          "postgres",
          "");
    }

    @Override
    public String search() {
      return """
      SELECT e.id, e.text, w.rank FROM
        (SELECT number, ts_rank(words, sought) AS rank FROM memory_words, (SELECT ?::tsquery) AS q
          (sought) WHERE words @@ sought ORDER BY rank DESC LIMIT 20) AS w
        JOIN memory_entry e USING (number) ORDER BY w.rank DESC
      """;
    }

    @Override
    public String settling() {
      return "VACUUM ANALYZE";
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }
}
