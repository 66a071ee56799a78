package dev.switchboard.store;

import dev.switchboard.process.OwnerFile;
import dev.switchboard.time.Time;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.sqlite.JDBC;

/// The file of a SQLite database: what it is before it is opened, the connections to it, and
/// whether it is still that file.
final class SqliteFile {
  // NORMAL in WAL mode: what was acknowledged has been handed to the system and survives a killed
  // process; a power failure may take the last moments back, but leaves the file sound.
  private static final String OPTIONS =
      "?journal_mode=WAL&synchronous=NORMAL&busy_timeout=5000&transaction_mode=IMMEDIATE"
          + "&wal_autocheckpoint=16000&jdbc.get_generated_keys=false";
  // One that is open waits in steps, so that each caller can give up in its own time.
  private static final String STEP = "PRAGMA busy_timeout = 10";
  private static final Duration PAUSE = Duration.ofMillis(5);
  private static final int MOST_PREPARED = 50;
  private static final byte[] HEADER = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);

  private final Path path;
  private final @Nullable Object key;

  /// The file that has that path now.
  SqliteFile(Path path) {
    this.path = path;
    key = key(path);
  }

  /// What distinguishes the file from another with its name; null if it is missing, or the system
  /// does not say.
  private static @Nullable Object key(Path path) {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    } catch (IOException e) {
      return null;
    }
  }

  /// Detects a deleted or replaced file, since writes to it are lost when it is closed.
  void checkPresent() throws SQLException {
    Object now = key(path);
    if (key == null ? !Files.exists(path) : !key.equals(now)) {
      throw new SQLException(
          "the file was deleted or replaced while it was open; put it back, or start again");
    }
  }

  /// Opens a connection. If several open a new file at the same time, SQLite refuses all but one at
  /// once, despite the busy timeout, while that one switches the file to WAL mode.
  ///
  /// @param until when that is given up
  static Connection connect(Path file, long until) throws SQLException {
    while (true) {
      try {
        // Not by DriverManager, which searches all jars for the drivers of other databases.
        return JDBC.createConnection("jdbc:sqlite:" + file + OPTIONS, new Properties());
      } catch (SQLException e) {
        if (!SqliteFaults.isBusy(e) || Time.SYSTEM.nanos() - until >= 0) {
          throw e;
        }
        pause();
      }
    }
  }

  /// Waits for a moment before another attempt at a file that is locked.
  static void pause() {
    Time.SYSTEM.await(new Time.Signal(), Time.SYSTEM.nanos() + PAUSE.toNanos());
  }

  /// The session of a connection, which waits for a locked file only for a moment.
  static SqlSession session(Connection connection, LastWrites heads) throws SQLException {
    waitInSteps(connection);
    return new SqlSession(connection, Texts.PLAIN, MOST_PREPARED, "", heads);
  }

  /// Lets the commands of a connection fail soon if the file is locked, so that they can be
  /// repeated.
  static void waitInSteps(Connection connection) throws SQLException {
    execute(connection, STEP);
  }

  /// Executes that command.
  static void execute(Connection connection, String command) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      boolean unused = statement.execute(command);
    }
  }

  /// Creates the file for its owner alone, or removes other users' permissions from it.
  ///
  /// @throws StoreException when another file or a folder has the path, which are left as they are:
  ///   SQLite deletes what stands beside a file that it takes for its own
  static void prepare(Path file) {
    String fault = fault(file);
    if (fault != null) {
      throw SqlFailure.exception("The store " + file + " cannot be opened: " + fault + ".", null);
    }
    try {
      new OwnerFile(file).create();
      // SQLite makes the files beside it with the permissions of the file.
      for (String beside : List.of("-wal", "-shm", "-journal")) {
        boolean unused = new OwnerFile(file.resolveSibling(file.getFileName() + beside)).narrow();
      }
    } catch (IOException e) {
      // SQLite cannot open it either, and says why.
    }
  }

  private static @Nullable String fault(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      return "its folder " + folder + " is missing";
    }
    if (Files.isDirectory(file)) {
      return "it is a folder";
    }
    return isForeign(file) ? "it is not a database of SQLite" : null;
  }

  private static boolean isForeign(Path file) {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] beginning = in.readNBytes(HEADER.length);
      return beginning.length > 0 && !Arrays.equals(beginning, HEADER);
    } catch (IOException e) {
      return false; // SQLite cannot read it either, and says why.
    }
  }
}
