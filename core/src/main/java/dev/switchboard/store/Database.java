package dev.switchboard.store;

import dev.switchboard.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.sqlite.JDBC;

/// An open SQLite file: one connection that writes, and others that read meanwhile. Safe for use by
/// several threads and processes.
final class Database implements SearchableSql {
  // NORMAL in WAL mode: what was acknowledged has been handed to the system and survives a killed
  // process; a power failure may take the last moments back, but leaves the file sound.
  private static final String OPTIONS =
      "?journal_mode=WAL&synchronous=NORMAL&busy_timeout=5000&transaction_mode=IMMEDIATE"
          + "&wal_autocheckpoint=16000&jdbc.get_generated_keys=false";
  // One that is open waits in steps, so that each caller can give up in its own time.
  private static final String STEP = "PRAGMA busy_timeout = 10";
  // In KiB: what five hundred conversations write to at a time stays in memory.
  // What is deleted is overwritten, also in pages that are free then.
  private static final String OVERWRITE = "PRAGMA secure_delete = ON";
  private static final String CACHE = "PRAGMA cache_size = -65536";
  private static final int BUSY = 5;
  private static final int FULL = 13;
  private static final Duration PAUSE = Duration.ofMillis(5);
  private static final String BUSY_HERE =
      "it is busy with other work of this program; try again later.";
  private static final int MOST_READERS = 8;
  private static final int MOST_PREPARED = 50;
  private static final int MOST_HEADS = 4_000;

  private final Path file;
  private final @Nullable Object fileKey;
  private final Time clock; // of what it stores; it waits for other processes by the machine's
  private final Patience patience = new Patience(Time.SYSTEM);
  private final WordIndex words = new SqliteWords();
  private final VectorIndex vectors = new ScannedVectors();
  private final Announcements announcements = new Announcements();
  private final ReentrantLock lock = new ReentrantLock();
  private final Session writer; // guarded by lock
  private final Commits commits = new Commits();
  private final Scrub scrub = new Scrub(this);
  private final Rewriting rewriting = new Rewriting();
  private final AtomicLong writings = new AtomicLong();
  private final Semaphore readers = new Semaphore(MOST_READERS);
  private final ConcurrentLinkedDeque<Session> idle = new ConcurrentLinkedDeque<>();
  private volatile boolean closed;

  private Database(Path file, Connection connection, Time clock) {
    this.file = file;
    this.clock = clock;
    this.writer = new Session(connection, Texts.PLAIN, MOST_PREPARED, "", new Heads(MOST_HEADS));
    fileKey = key(file);
  }

  static Database open(Path file) {
    return open(file, Time.SYSTEM);
  }

  /// @param clock of what it stores
  static Database open(Path file, Time clock) {
    Connection connection = null;
    SqliteFile.prepare(file);
    try {
      connection = connect(file, Time.SYSTEM.nanos() + Patience.MOST.toNanos());
      execute(connection, OVERWRITE);
      int newer = Migrations.apply(connection);
      if (newer == 0) {
        execute(connection, STEP);
        execute(connection, CACHE);
        return new Database(file, connection, clock);
      }
      connection.close();
    } catch (SQLException e) {
      closeAfter(e, connection);
      throw cannotBeOpened(file, e);
    }
    throw new StoreException(
        "The store " + file + " was written by a newer version of this program.", null);
  }

  private static StoreException cannotBeOpened(Path file, SQLException e) {
    return new StoreException("The store " + file + " cannot be opened: " + reason(e) + ".", e);
  }

  /// Opens a connection. If several open a new file at the same time, SQLite refuses all but one at
  /// once, despite the busy timeout, while that one switches the file to WAL mode.
  private static Connection connect(Path file, long until) throws SQLException {
    while (true) {
      try {
        // Not by DriverManager, which searches all jars for the drivers of other databases.
        return JDBC.createConnection("jdbc:sqlite:" + file + OPTIONS, new Properties());
      } catch (SQLException e) {
        if (!isBusy(e) || Time.SYSTEM.nanos() - until >= 0) {
          throw e;
        }
        pause();
      }
    }
  }

  private static boolean isBusy(SQLException e) {
    return e.getErrorCode() == BUSY;
  }

  private static void pause() {
    Time.SYSTEM.await(new Time.Signal(), Time.SYSTEM.nanos() + PAUSE.toNanos());
  }

  private static void execute(Connection connection, String command) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      boolean unused = statement.execute(command);
    }
  }

  /// What distinguishes the file from another of its name; null if it is gone, or the system cannot
  /// tell.
  private static @Nullable Object key(Path file) {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    } catch (IOException e) {
      return null;
    }
  }

  private static void closeAfter(SQLException fault, @Nullable Connection connection) {
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (SQLException e) {
      fault.addSuppressed(e);
    }
  }

  @Override
  public <T extends @Nullable Object> T within(Duration most, Supplier<T> work) {
    return patience.within(most, work);
  }

  /// An action that is retried while the file is locked.
  private interface Attempt<T> {
    T made() throws SQLException;
  }

  private <T> T patiently(long until, Attempt<T> attempt) throws SQLException {
    long began = Time.SYSTEM.nanos();
    while (true) {
      try {
        T made = attempt.made();
        patience.open();
        return made;
      } catch (SQLException e) {
        if (!isBusy(e)) {
          throw e;
        }
        patience.blocked(began);
        if (Time.SYSTEM.nanos() - until >= 0) {
          throw e;
        }
        pause();
      }
    }
  }

  private interface Taking {
    boolean within(long nanos) throws InterruptedException;
  }

  /// Whether that was acquired in time. An interrupt does not prevent a result from being stored.
  private static boolean taken(long until, Taking taking) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return taking.within(until - Time.SYSTEM.nanos());
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public <T> List<T> query(String sql, Fields.Reader<T> read, @Nullable Object... values) {
    long until = patience.until();
    if (!taken(until, nanos -> readers.tryAcquire(nanos, TimeUnit.NANOSECONDS))) {
      throw new StoreException("The store " + file + " cannot be read: " + BUSY_HERE, null);
    }
    try {
      Session session = reader(until);
      try {
        return patiently(until, () -> session.query(sql, read, values));
      } finally {
        idle.push(session);
        if (closed) {
          closeIdle();
        }
      }
    } catch (SQLException e) {
      throw new StoreException("The store " + file + " cannot be read: " + reason(e) + ".", e);
    } finally {
      readers.release();
    }
  }

  private Session reader(long until) throws SQLException {
    if (closed) {
      throw new SQLException("it is closed");
    }
    Session known = idle.poll();
    if (known != null) {
      return known;
    }
    Connection connection = connect(file, until);
    execute(connection, STEP);
    return new Session(connection, Texts.PLAIN, MOST_PREPARED, "", Heads.none());
  }

  @Override
  public boolean change(String sql, @Nullable Object... values) {
    boolean[] changed = {false};
    return together(session -> {
      changed[0] = session.change(sql, values);
      return true;
    })
        && changed[0];
  }

  @Override
  public boolean together(Work work) {
    long until = patience.until();
    try {
      return commits.kept(work, until, works -> written(works, until));
    } catch (TimeoutException e) {
      throw new StoreException("The store " + file + " cannot be written: " + BUSY_HERE, e);
    } catch (SQLException e) {
      throw cannotBeWritten(e);
    }
  }

  @Override
  public Command.Outcome all(List<Command> commands, List<Announcements.Told> told) {
    AtomicReference<Command.@Nullable Outcome> outcome = new AtomicReference<>();
    boolean unused =
        together(session -> {
          Command.Outcome made = session.run(commands);
          outcome.set(made);
          return made.isKept();
        });
    Command.Outcome made = Objects.requireNonNull(outcome.get());
    if (made.isKept()) {
      told.forEach(announcements::tell);
    }
    return made;
  }

  private boolean written(List<Work> works, long until) throws SQLException {
    lock.lock();
    try {
      checkFile();
      writings.incrementAndGet();
      boolean unused =
          patiently(
              until,
              () -> {
                rewriting.stop();
                return writer.change("BEGIN IMMEDIATE");
              });
      try {
        writer.begin();
        boolean kept = true;
        for (Work work : works) {
          kept = kept && work.done(writer);
          List<Command> last = writer.takeLast();
          kept = kept && writer.run(last).isKept();
        }
        if (!kept) {
          writer.forget();
        }
        unused = writer.change(kept ? "COMMIT" : "ROLLBACK");
        return kept;
      } catch (SQLException | RuntimeException | Error e) {
        rollBack(e);
        throw e;
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void scrub() {
    scrub.run();
  }

  /// Whether that checkpoint was made before then, which other processes may delay for a moment. If
  /// one reads for long, the next one is made, or that of the last process that closes the file.
  boolean emptied(String checkpoint, long until) {
    lock.lock();
    try {
      while (!writer.query(checkpoint, row -> row.number(1)).equals(List.of(0L))) {
        if (Time.SYSTEM.nanos() - until >= 0) {
          return false;
        }
        pause();
      }
      return true;
    } catch (SQLException e) {
      throw cannotBeWritten(e);
    } finally {
      lock.unlock();
    }
  }

  /// How often it was written to in this process.
  long writings() {
    return writings.get();
  }

  /// How many bytes of the file are used.
  long size() {
    return query(
            "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count,"
                + " pragma_freelist_count, pragma_page_size",
            row -> row.number(1))
        .getFirst();
  }

  /// Rewrites the file, so that it holds nothing but what is stored.
  ///
  /// @param givesWay whether this process's next writing stops it; otherwise that waits
  /// @return false if it was stopped
  boolean rewritten(boolean givesWay) {
    long until = patience.until();
    if (!givesWay) {
      lock.lock();
    }
    try (Connection own = connect(file, until)) {
      execute(own, STEP);
      execute(own, OVERWRITE);
      return patiently(until, () -> rewriting.done(own, givesWay));
    } catch (SQLException e) {
      throw cannotBeWritten(e);
    } finally {
      if (!givesWay) {
        lock.unlock();
      }
    }
  }

  /// Detects a deleted or replaced file, since writes to it are lost when it is closed.
  private void checkFile() throws SQLException {
    Object now = key(file);
    if (fileKey == null ? !Files.exists(file) : !fileKey.equals(now)) {
      throw new SQLException(
          "the file was deleted or replaced while it was open; put it back, or start again");
    }
  }

  /// Rolls back, unless SQLite has done so itself after the fault.
  private void rollBack(Throwable fault) {
    writer.forget();
    try {
      boolean unused = writer.change("ROLLBACK");
    } catch (SQLException e) {
      fault.addSuppressed(e);
    }
  }

  private StoreException cannotBeWritten(SQLException e) {
    return new StoreException("The store " + file + " cannot be written: " + reason(e) + ".", e);
  }

  @Override
  public DatabaseSyntax syntax() {
    return DatabaseSyntax.SQLITE;
  }

  @Override
  public Announcements announcements() {
    return announcements;
  }

  @Override
  public Time clock() {
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

  @Override
  public Runnable reserve(String holder) {
    ServerRow row = new ServerRow(this);
    ServerFile taken = ServerFile.take(file, holder, row::holder);
    try {
      row.write(holder);
    } catch (StoreException e) {
      taken.close();
      throw e;
    }
    return () -> {
      try {
        row.remove();
      } finally {
        taken.close();
      }
    };
  }

  @Override
  public StoreException damaged(String what, @Nullable String fault) {
    return new StoreException("The store " + file + ": " + what + " " + fault + ".", null);
  }

  static String reason(SQLException e) {
    if (isBusy(e)) {
      return "another program has it locked, such as a backup or an open database shell, and"
          + " has not released it in time; end that program, or try again later";
    }
    if (e.getErrorCode() == FULL) {
      return "there is no space left on its disk; make room and try again";
    }
    String message = String.valueOf(e.getMessage()).strip();
    return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
  }

  @Override
  public void close() {
    scrub.close();
    lock.lock();
    try {
      closed = true;
      closeIdle();
      writer.connection().close();
    } catch (SQLException e) {
      throw new StoreException("The store " + file + " cannot be closed: " + reason(e) + ".", e);
    } finally {
      lock.unlock();
    }
  }

  private void closeIdle() throws SQLException {
    for (Session session = idle.poll(); session != null; session = idle.poll()) {
      session.connection().close();
    }
  }
}
