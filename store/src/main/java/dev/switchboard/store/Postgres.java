package dev.switchboard.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import dev.switchboard.execution.StoreException;
import dev.switchboard.time.Time;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// An open PostgreSQL database with a pool of connections. Safe for use by several threads and
/// processes.
final class Postgres implements SearchableSql {
  private static final int MOST_CONNECTIONS = 10;
  // A connection is waited for in steps, so that each caller can give up in its own time.
  private static final long STEP_MILLIS = 1_000;
  private static final String LOGIN_SECONDS = "10";
  // The server gives up a change that waits for a lock. A stalled client's locks are released
  // before
  // those who wait for them give up.
  private static final String TIMEOUTS =
      "SET lock_timeout = '5s'; SET idle_in_transaction_session_timeout = '3s'";
  // All that is asked has an index. A plan that was made while a table was empty stays when it has
  // grown, until the server counts its rows again.
  private static final String PLANS = "SET enable_seqscan = off";
  private static final int LEAST_MILLIS = 1_000;
  private static final String SILENCE_SECONDS = "20";
  private static final int MOST_ATTEMPTS = 10;
  // The server has taken a transaction back: of several that wait for each other it lets one go on;
  // and a client that stood still, as on a busy machine, does not keep its locks.
  private static final Set<String> TAKEN_BACK = Set.of("40P01", "25P03");
  private static final String LOCKED = "55P03";
  // Tells the lock of a server from those of other programs.
  private static final int SERVER = 1_398_230_852;

  private final String name;
  private final WordIndex words = new PostgresWords();
  private final VectorIndex vectors;
  private final HikariDataSource connections;
  private final Patience patience = new Patience(Time.SYSTEM);
  private final DatabaseTime clock = new DatabaseTime(Time.SYSTEM);
  private final PostgresAnnouncements announcements;

  private Postgres(String name, VectorIndex vectors, HikariDataSource connections) {
    this.name = name;
    this.vectors = vectors;
    this.connections = connections;
    announcements = new PostgresAnnouncements(this, connections::getConnection, clock);
  }

  /// Opens the database of that [PostgresUrl].
  static Postgres open(String text) {
    PostgresUrl url = PostgresUrl.of(text);
    String name = url.name();
    HikariDataSource connections = null;
    try {
      connections = new HikariDataSource(config(url));
      try (Connection connection = connections.getConnection()) {
        if (PostgresMigrations.apply(connection) == 0) {
          return new Postgres(name, VectorExtension.index(connection), connections);
        }
      }
    } catch (PoolInitializationException e) {
      throw cannotBeOpened(name, e.getCause() instanceof SQLException cause ? cause : e);
    } catch (SQLException e) {
      close(connections);
      throw cannotBeOpened(name, e);
    }
    connections.close();
    throw SqlFailure.exception(
        "The store " + name + " was written by a newer version of this program.", null);
  }

  private static StoreException cannotBeOpened(String name, Exception e) {
    return SqlFailure.exception("The store " + name + " cannot be opened: " + reason(e) + ".", e);
  }

  private static void close(@Nullable HikariDataSource connections) {
    if (connections != null) {
      connections.close();
    }
  }

  private static HikariConfig config(PostgresUrl url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url.jdbc());
    String user = url.user();
    if (user != null) {
      config.setUsername(user);
    }
    String password = url.password();
    if (password != null) {
      config.setPassword(password);
    }
    config.setMaximumPoolSize(MOST_CONNECTIONS);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(STEP_MILLIS);
    config.setConnectionInitSql(TIMEOUTS + "; " + PLANS);
    config.addDataSourceProperty("loginTimeout", LOGIN_SECONDS);
    config.setPoolName("switchboard");
    // A server that hangs or is unreachable does not block callers for ever.
    config.addDataSourceProperty("socketTimeout", SILENCE_SECONDS);
    config.addDataSourceProperty("tcpKeepAlive", "true");
    // What the server tells of a fault beyond its sentence may quote what was to be kept.
    config.addDataSourceProperty("logServerErrorDetail", "false");
    return config;
  }

  @Override
  public <T extends @Nullable Object> T within(Duration most, Supplier<T> work) {
    return patience.within(most, work);
  }

  private Connection connection(long until) throws SQLException {
    // The pool waits for a while itself.
    return patience.repeat(
        until,
        SQLTransientConnectionException.class::isInstance,
        () -> {},
        connections::getConnection);
  }

  @Override
  public <T> List<T> query(String sql, Fields.Reader<T> read, @Nullable Object... values) {
    try (Connection connection = connection(patience.until())) {
      return session(connection).query(sql, read, values);
    } catch (SQLException e) {
      throw SqlFailure.exception("The store " + name + " cannot be read: " + reason(e) + ".", e);
    }
  }

  @Override
  public Runnable reserve(String holder) {
    try {
      Connection connection = connection(patience.until());
      try {
        return reserved(connection, holder);
      } catch (SQLException | RuntimeException e) {
        connection.close();
        throw e;
      }
    } catch (SQLException e) {
      throw cannotBeWritten(e);
    }
  }

  /// Reserves the database by an advisory lock of the connection, which the server releases when
  /// the process ends.
  private Runnable reserved(Connection connection, String holder) throws SQLException {
    SqlSession session = session(connection);
    String schema = "hashtext(current_schema())";
    boolean taken =
        session
            .query(
                "SELECT pg_try_advisory_lock(" + SERVER + ", " + schema + ")::int",
                row -> row.small(1) == 1)
            .getFirst();
    if (!taken) {
      List<String> holders =
          session.query(
              "SELECT application_name FROM pg_stat_activity JOIN pg_locks USING (pid)"
                  + " WHERE locktype = 'advisory' AND granted AND classid = "
                  + SERVER
                  + " AND objid::bigint = ("
                  + schema
                  + "::bigint & 4294967295)",
              row -> row.text(1));
      throw ServerFile.taken(name, holders.isEmpty() ? "" : holders.getFirst(), null);
    }
    // Cut by the server after 63 bytes.
    List<String> unused =
        session.query(
            "SELECT set_config('application_name', ?, false)", row -> row.text(1), holder);
    return () -> release(connection);
  }

  private void release(Connection connection) {
    try (connection) {
      boolean unused =
          session(connection).query("SELECT pg_advisory_unlock_all()::text", row -> true).isEmpty();
    } catch (SQLException e) {
      throw cannotBeWritten(e);
    }
  }

  @Override
  public boolean change(String sql, @Nullable Object... values) {
    long until = patience.until();
    try (Connection connection = connection(until)) {
      long left = Duration.ofNanos(until - Time.SYSTEM.nanos()).toMillis();
      // The pool sets this right again.
      connection.setNetworkTimeout(Runnable::run, (int) Math.max(LEAST_MILLIS, left));
      return session(connection).change(sql, values);
    } catch (SQLException e) {
      throw cannotBeWritten(e);
    }
  }

  @Override
  public boolean together(Work work) {
    return tried(() -> kept(work));
  }

  private interface Attempt<T extends @Nullable Object> {
    T made() throws SQLException;
  }

  private <T extends @Nullable Object> T tried(Attempt<T> work) {
    for (int attempt = 1; ; attempt++) {
      try {
        return work.made();
      } catch (SQLException e) {
        if (attempt == MOST_ATTEMPTS || !TAKEN_BACK.contains(String.valueOf(e.getSQLState()))) {
          throw cannotBeWritten(e);
        }
      }
    }
  }

  /// Executes the commands in one round trip, with the announcements. If a required row is missing,
  /// they are executed one by one, to learn which.
  @Override
  public Command.Outcome all(List<Command> commands, List<Announcements.Told> told) {
    String message = announcements.begin(told);
    Command.Outcome outcome = null;
    try {
      outcome = tried(() -> atOnce(commands, message));
    } finally {
      announcements.end(message, outcome == null ? List.of() : told);
    }
    if (outcome != null) {
      return outcome;
    }
    Command.Outcome made = tried(() -> oneByOne(commands));
    if (made.isKept()) {
      told.forEach(announcements::tell);
    }
    return made;
  }

  private Command.@Nullable Outcome atOnce(List<Command> commands, @Nullable String message)
      throws SQLException {
    CommandBatch batch = new CommandBatch(commands);
    try {
      return transaction(session ->
          new Command.Outcome(
              -1,
              message == null
                  ? session.run(batch)
                  : session.run(batch, announcements.telling(), message)));
    } catch (SQLException e) {
      if (CommandBatch.isMissing(e)) {
        return null;
      }
      throw e;
    }
  }

  private Command.Outcome oneByOne(List<Command> commands) throws SQLException {
    return transaction(session -> {
      Command.Outcome outcome = session.run(commands);
      if (outcome.isKept()) {
        session.connection().commit();
      }
      return outcome;
    });
  }

  private boolean kept(Work work) throws SQLException {
    return transaction(session -> {
      boolean kept = work.done(session);
      List<Command> last = session.takeLast();
      if (kept && last.isEmpty()) {
        session.connection().commit();
      } else if (kept) {
        List<OptionalLong> unused = session.run(new CommandBatch(last));
      }
      return kept;
    });
  }

  private interface Transaction<T extends @Nullable Object> {
    T done(SqlSession session) throws SQLException;
  }

  private <T extends @Nullable Object> T transaction(Transaction<T> work) throws SQLException {
    try (Connection connection = connection(patience.until())) {
      // The pool takes back what was not committed, and sets this right again.
      connection.setAutoCommit(false);
      return work.done(session(connection));
    }
  }

  private static SqlSession session(Connection connection) {
    return new SqlSession(connection, Texts.WITHOUT_ZERO, 0, " FOR UPDATE", Heads.none());
  }

  private StoreException cannotBeWritten(SQLException e) {
    return SqlFailure.exception("The store " + name + " cannot be written: " + reason(e) + ".", e);
  }

  /// The reason, as the rest of a sentence.
  private static String reason(Exception e) {
    if (e instanceof SQLTransientConnectionException) {
      return "no connection in time; is the server up, and does it accept more connections";
    }
    return e instanceof SQLException fault && LOCKED.equals(fault.getSQLState())
        ? "another program has locked the rows to be changed, and has not released them in time"
        : firstLine(e);
  }

  /// The first line: later ones may quote data.
  private static String firstLine(Exception e) {
    String first = String.valueOf(e.getMessage()).lines().findFirst().orElse("").strip();
    return first.endsWith(".") ? first.substring(0, first.length() - 1) : first;
  }

  @Override
  public DatabaseSyntax syntax() {
    return DatabaseSyntax.POSTGRESQL;
  }

  @Override
  public Announcements announcements() {
    return announcements;
  }

  @Override
  public Time clock() {
    Instant asked = clock.asked();
    long millis = query("SELECT " + syntax().now(), row -> row.number(1)).getFirst();
    clock.set(asked, millis);
    return clock;
  }

  @Override
  public WordIndex words() {
    return words;
  }

  @Override
  public VectorIndex vectors() {
    return vectors;
  }

  /// The server overwrites deleted rows itself, once it vacuums their tables.
  @Override
  public void scrub() {}

  @Override
  public StoreException damaged(String what, @Nullable String fault) {
    return SqlFailure.exception("The store " + name + ": " + what + " " + fault + ".", null);
  }

  @Override
  public void close() {
    announcements.close();
    connections.close();
  }
}
