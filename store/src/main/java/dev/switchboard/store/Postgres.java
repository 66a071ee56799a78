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

/// An open PostgreSQL database with a pool of connections, which several processes may share.
///
/// Thread-safe.
final class Postgres implements SearchableSql {
  private static final int MOST_CONNECTIONS = 10;
  // The longest wait for a connection in one step; callers repeat it until their own deadlines.
  private static final long STEP_MILLIS = 1_000;
  private static final String LOGIN_SECONDS = "10";
  // A statement that waits for a lock fails in time. A stalled client's locks are released before
  // the statements that wait for them fail.
  private static final String TIMEOUTS =
      "SET lock_timeout = '5s'; SET idle_in_transaction_session_timeout = '3s'";
  // All queries have an index. Otherwise a plan made for an empty table would remain in use after
  // the table has grown, until the server counts its rows again.
  private static final String PLANS = "SET enable_seqscan = off";
  private static final int LEAST_MILLIS = 1_000; // of a change, whatever is left of its time
  private static final String SILENCE_SECONDS = "20";
  private static final int MOST_ATTEMPTS = 10;
  // The states of a transaction that the server has rolled back, and that is repeated: one of
  // several in a deadlock, or one whose client stalled, as on a busy machine.
  private static final Set<String> ROLLED_BACK = Set.of("40P01", "25P03");
  private static final String LOCKED = "55P03"; // lock_timeout
  // The class of the advisory lock that reserves the database, unlike those of other programs.
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

  /// Opens the database at that [PostgresUrl], and migrates its tables.
  ///
  /// @throws StoreException if it cannot be opened, or a newer version has written it
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
    // Callers do not block forever on a server that hangs or is unreachable.
    config.addDataSourceProperty("socketTimeout", SILENCE_SECONDS);
    config.addDataSourceProperty("tcpKeepAlive", "true");
    // The details of an error may quote data.
    config.addDataSourceProperty("logServerErrorDetail", "false");
    return config;
  }

  @Override
  public <T extends @Nullable Object> T within(Duration most, Supplier<T> work) {
    return patience.within(most, work);
  }

  private Connection connection(long until) throws SQLException {
    // No pause between attempts, since each waits in the pool.
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

  /// Reserves the database with an advisory lock of the connection, which the server releases when
  /// the process ends.
  ///
  /// @return releases the lock and the connection
  private Runnable reserved(Connection connection, String holder) throws SQLException {
    SqlSession session = session(connection);
    String schema = "hashtext(current_schema())";
    boolean locked =
        session
            .query(
                "SELECT pg_try_advisory_lock(" + SERVER + ", " + schema + ")::int",
                row -> row.small(1) == 1)
            .getFirst();
    if (!locked) {
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
    // The server truncates the name to 63 bytes.
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
      // The pool resets this when the connection is returned.
      connection.setNetworkTimeout(Runnable::run, (int) Math.max(LEAST_MILLIS, left));
      return session(connection).change(sql, values);
    } catch (SQLException e) {
      throw cannotBeWritten(e);
    }
  }

  @Override
  public boolean together(Work work) {
    return retried(() -> committed(work));
  }

  private interface Attempt<T extends @Nullable Object> {
    T run() throws SQLException;
  }

  private <T extends @Nullable Object> T retried(Attempt<T> work) {
    for (int attempt = 1; ; attempt++) {
      try {
        return work.run();
      } catch (SQLException e) {
        if (attempt == MOST_ATTEMPTS || !ROLLED_BACK.contains(String.valueOf(e.getSQLState()))) {
          throw cannotBeWritten(e);
        }
      }
    }
  }

  /// Executes the commands in one round trip, with the announcements. If a required row is missing,
  /// executes them again one by one, to find which row that is.
  @Override
  public Command.Outcome all(
      List<Command> commands, List<Announcements.AgentAnnouncement> announced) {
    String message = announcements.begin(announced);
    Command.Outcome outcome = null;
    try {
      outcome = retried(() -> inOneTrip(commands, message));
    } finally {
      announcements.end(message, outcome == null ? List.of() : announced);
    }
    if (outcome != null) {
      return outcome;
    }
    Command.Outcome single = retried(() -> oneByOne(commands));
    if (single.isKept()) {
      announced.forEach(announcements::announce);
    }
    return single;
  }

  /// The outcome of the commands, or null if a required row is missing; then nothing is changed.
  private Command.@Nullable Outcome inOneTrip(List<Command> commands, @Nullable String message)
      throws SQLException {
    CommandBatch batch = new CommandBatch(commands);
    try {
      return transaction(session ->
          new Command.Outcome(
              -1,
              message == null
                  ? session.run(batch)
                  : session.run(batch, announcements.notification(), message)));
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

  /// Does the work, and commits it unless it returns false; returns whether it did.
  private boolean committed(Work work) throws SQLException {
    return transaction(session -> {
      boolean commits = work.done(session);
      List<Command> last = session.takeLast();
      if (commits && last.isEmpty()) {
        session.connection().commit();
      } else if (commits) {
        List<OptionalLong> unused = session.run(new CommandBatch(last));
      }
      return commits;
    });
  }

  private interface Transaction<T extends @Nullable Object> {
    T run(SqlSession session) throws SQLException;
  }

  private <T extends @Nullable Object> T transaction(Transaction<T> work) throws SQLException {
    try (Connection connection = connection(patience.until())) {
      // The pool rolls back what was not committed, and resets this.
      connection.setAutoCommit(false);
      return work.run(session(connection));
    }
  }

  private static SqlSession session(Connection connection) {
    return new SqlSession(connection, Texts.WITHOUT_ZERO, 0, " FOR UPDATE", LastWrites.none());
  }

  private StoreException cannotBeWritten(SQLException e) {
    return SqlFailure.exception("The store " + name + " cannot be written: " + reason(e) + ".", e);
  }

  /// The reason, as a clause.
  private static String reason(Exception e) {
    if (e instanceof SQLTransientConnectionException) {
      return "no connection in time; is the server up, and does it accept more connections";
    }
    return e instanceof SQLException sql && LOCKED.equals(sql.getSQLState())
        ? "another program has locked the rows to be changed, and has not released them in time"
        : firstLine(e);
  }

  /// The first line of the message; later ones may quote data.
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

  /// Does nothing: the server overwrites deleted rows when it vacuums their tables.
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
