package dev.switchboard.store;

import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.StoreException;
import dev.switchboard.memory.VectorStore;
import dev.switchboard.time.Time;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An open database with conversations and memory: a SQLite file or a PostgreSQL server. Safe for
/// use by several threads and processes; stored data survives the process.
public final class Storage implements AutoCloseable {
  private static final String SQLITE = "sqlite:";

  private final SearchableSql sql;
  private final VectorStore memory;
  private final boolean shared;

  private Storage(SearchableSql sql, boolean shared) {
    this.sql = sql;
    this.shared = shared;
    this.memory = new SqlMemory(sql);
  }

  /// Opens the database of that URL, such as `sqlite:reservations.db` or
  /// `postgresql://user@host/reservations`.
  ///
  /// @param folder the base of a relative path in the URL
  /// @throws IllegalArgumentException when the URL is not one of a database
  /// @throws StoreException when it cannot be opened
  public static Storage open(String url, Path folder) {
    return new Storage(sql(url, folder), false);
  }

  /// Opens the database of that URL for one of several processes that share its conversations: each
  /// claims what is due, and inputs wait there for any of them.
  ///
  /// @param folder the base of a relative path in the URL
  /// @throws IllegalArgumentException when the URL is not one of a database
  /// @throws StoreException when it cannot be opened
  public static Storage shared(String url, Path folder) {
    return new Storage(sql(url, folder), true);
  }

  /// Opens the conversations of that agent in the database of that URL; closing them closes the
  /// database.
  ///
  /// @param folder the base of a relative path in the URL
  /// @throws IllegalArgumentException when the URL is not one of a database
  /// @throws StoreException when it cannot be opened
  public static ConversationStore open(String url, Path folder, String agent) {
    return conversations(sql(url, folder), agent);
  }

  /// Opens the conversations of that agent in a SQLite file, which several agents may share. The
  /// file is created if it does not exist; closing the conversations closes it.
  ///
  /// @throws StoreException when the file cannot be opened, or a newer version wrote it
  public static ConversationStore sqlite(Path file, String agent) {
    return sqlite(file, agent, Time.SYSTEM);
  }

  /// @param clock of what is stored
  static ConversationStore sqlite(Path file, String agent, Time clock) {
    return conversations(sqlite(file, clock), agent);
  }

  private static ConversationStore conversations(Sql sql, String agent) {
    return new SqlStore(sql, agent, false, sql::close);
  }

  private static SearchableSql sql(String url, Path folder) {
    String fault = fault(url);
    if (fault != null) {
      throw new IllegalArgumentException("the URL of a store " + fault);
    }
    return url.startsWith(PostgresUrl.SCHEME)
        ? Postgres.open(url)
        : sqlite(folder.resolve(url.substring(SQLITE.length())), Time.SYSTEM);
  }

  private static SearchableSql sqlite(Path file, Time clock) {
    return Database.open(file, clock);
  }

  /// Why the URL is not one of a database, as the rest of a sentence that names it; null if it is.
  public static @Nullable String fault(String url) {
    if (url.contains("://") && !url.startsWith(SQLITE)) {
      return PostgresUrl.fault(url);
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

  /// The conversations of that agent, as long as this is open.
  public ConversationStore conversations(String agent) {
    return new SqlStore(sql, agent, shared, () -> {});
  }

  /// The clock of the database, so that processes on several machines agree on times; for a file,
  /// the clock of this machine.
  public Time time() {
    return sql.clock();
  }

  /// The memory of all agents, as long as this is open.
  public VectorStore memory() {
    return memory;
  }

  /// Makes these agents known to the processes that share the database, as served now.
  ///
  /// @throws StoreException when it cannot be written
  public void serve(Collection<String> agents) {
    new ServedAgents(sql).add(agents);
  }

  /// The names of the agents that processes have made known within that time, in alphabetical
  /// order.
  ///
  /// @throws StoreException when it cannot be read
  public List<String> served(Duration within) {
    return new ServedAgents(sql).within(within);
  }

  /// Reserves the storage for one server, which may then continue what another one has left
  /// unfinished. It lasts until it is closed, or the process ends.
  ///
  /// @param holder names this process to others, such as `process 4711 since 12:00`
  /// @throws StoreException when another process has reserved it; the sentence names the holder
  public Reservation reserve(String holder) {
    return sql.reserve(holder)::run;
  }

  /// The right to be the only server of a storage.
  public interface Reservation extends AutoCloseable {
    @Override
    void close();
  }

  @Override
  public void close() {
    sql.close();
  }
}
