package dev.switchboard.store;

import dev.switchboard.execution.ConversationStore;
import dev.switchboard.memory.VectorStore;
import dev.switchboard.time.Time;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A database that holds conversations and memory, open: a SQLite file or a PostgreSQL server. Safe
/// for use by several threads and processes; what has been kept survives the death of the process.
public final class Storage implements AutoCloseable {
  private static final String SQLITE = "sqlite:";

  private final Sql sql;
  private final VectorStore memory;
  private final boolean shared;

  private Storage(Sql sql, boolean shared) {
    this.sql = sql;
    this.shared = shared;
    this.memory = new SqlMemory(sql);
  }

  /// The database of that URL, such as `sqlite:reservations.db` or
  /// `postgresql://user@host/reservations`.
  ///
  /// @param folder where a relative path in the URL begins
  /// @throws IllegalArgumentException when the URL is not one of a database
  /// @throws StoreException when it cannot be opened
  public static Storage open(String url, Path folder) {
    return new Storage(sql(url, folder), false);
  }

  /// The database of that URL, as one of several processes opens it that share its conversations:
  /// each takes up what is due, and inputs wait there for whichever it is.
  ///
  /// @param folder where a relative path in the URL begins
  /// @throws IllegalArgumentException when the URL is not one of a database
  /// @throws StoreException when it cannot be opened
  public static Storage shared(String url, Path folder) {
    return new Storage(sql(url, folder), true);
  }

  /// The conversations of that agent in the database of that URL, which is closed with them.
  ///
  /// @param folder where a relative path in the URL begins
  /// @throws IllegalArgumentException when the URL is not one of a database
  /// @throws StoreException when it cannot be opened
  public static ConversationStore open(String url, Path folder, String agent) {
    return conversations(sql(url, folder), agent);
  }

  /// The conversations of that agent in a SQLite file, which several agents may share; it is made
  /// where there is none, and closed with them.
  ///
  /// @throws StoreException when the file cannot be opened, or a newer version wrote it
  public static ConversationStore sqlite(Path file, String agent) {
    return conversations(Database.open(file), agent);
  }

  private static ConversationStore conversations(Sql sql, String agent) {
    return new SqlStore(sql, agent, false, sql::close);
  }

  private static Sql sql(String url, Path folder) {
    String fault = fault(url);
    if (fault != null) {
      throw new IllegalArgumentException("the URL of a store " + fault);
    }
    return url.startsWith(Postgres.SCHEME)
        ? Postgres.open(url)
        : Database.open(folder.resolve(url.substring(SQLITE.length())));
  }

  /// Why the URL is not one of a database, the rest of a sentence that names it; null where it is.
  public static @Nullable String fault(String url) {
    if (url.contains("://") && !url.startsWith(SQLITE)) {
      return Postgres.fault(url);
    }
    boolean named = url.startsWith(SQLITE) && url.length() > SQLITE.length();
    return named && isPath(url.substring(SQLITE.length()))
        ? null
        : "must be \"sqlite:\" and a file, such as \"sqlite:agent.db\", not '" + url + "'";
  }

  private static boolean isPath(String text) {
    try {
      // What the driver would take for options or for a store in memory.
      return !Path.of(text).toString().isBlank() && !text.matches(":.*|//.*|.*\\?.*");
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /// The conversations of that agent, for as long as this is open.
  public ConversationStore conversations(String agent) {
    return new SqlStore(sql, agent, shared, () -> {});
  }

  /// The clock of the database, by which processes on several machines mean the same moments; a
  /// file has that of its machine.
  public Time time() {
    return sql.clock();
  }

  /// The memory of all agents, for as long as this is open.
  public VectorStore memory() {
    return memory;
  }

  /// Reserves the storage for one server, which so knows that what another one has left unfinished
  /// is its own to go on with. It lasts until it is closed, or the process ends.
  ///
  /// @param holder what others are told who has it, such as `process 4711 since 12:00`
  /// @throws StoreException when another process has it; the sentence names the holder
  public Reservation reserve(String holder) {
    return sql.reserve(holder);
  }

  /// The right to be the one server of a storage.
  public interface Reservation extends AutoCloseable {
    @Override
    void close();
  }

  @Override
  public void close() {
    sql.close();
  }

  /// Something could not be read or kept: a sentence that names the file, and never what was in it.
  public static final class StoreException extends RuntimeException {
    StoreException(String sentence, @Nullable Throwable cause) {
      super(sentence, cause);
    }
  }
}
