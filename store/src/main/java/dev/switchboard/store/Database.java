package dev.switchboard.store;

import dev.switchboard.execution.StoreException;
import dev.switchboard.time.Time;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// An open SQLite file: one connection that writes, and others that read meanwhile. Safe for use by
/// several threads and processes.
final class Database implements SearchableSql {
  // What is deleted is overwritten, also in pages that are free then.
  private static final String OVERWRITE = "PRAGMA secure_delete = ON";
  // In KiB: what five hundred conversations write to at a time stays in memory.
  private static final String CACHE = "PRAGMA cache_size = -65536";
  private static final int MOST_HEADS = 4_000;

  private final Path file;
  private final SqliteFile opened;
  private final SqliteFaults faults;
  private final Time clock; // of what it stores; it waits for other processes by the machine's
  private final Patience patience = new Patience(Time.SYSTEM);
  private final WordIndex words = new SqliteWords();
  private final VectorIndex vectors = new ScannedVectors();
  private final Announcements announcements = new Announcements();
  private final ReentrantLock lock = new ReentrantLock();
  private final SqlSession writer; // guarded by lock
  private final Commits commits = new Commits();
  private final Scrub scrub = new Scrub(this);
  private final Rewriting rewriting = new Rewriting();
  private final AtomicLong writings = new AtomicLong();
  private final SqliteReaders readers;

  private Database(Path file, SqlSession writer, Time clock) {
    this.file = file;
    this.clock = clock;
    this.writer = writer;
    opened = new SqliteFile(file);
    faults = new SqliteFaults(file);
    readers = new SqliteReaders(file);
  }

  static Database open(Path file) {
    return open(file, Time.SYSTEM);
  }

  /// @param clock of what it stores
  static Database open(Path file, Time clock) {
    Connection connection = null;
    SqliteFile.prepare(file);
    try {
      connection = SqliteFile.connect(file, Time.SYSTEM.nanos() + Patience.MOST.toNanos());
      SqliteFile.execute(connection, OVERWRITE);
      int newer = Migrations.apply(connection);
      if (newer == 0) {
        SqliteFile.execute(connection, CACHE);
        SqlSession writer = SqliteFile.session(connection, new LastWrites(MOST_HEADS));
        return new Database(file, writer, clock);
      }
      connection.close();
    } catch (SQLException e) {
      closeAfter(e, connection);
      throw new SqliteFaults(file).cannotBe("opened", e);
    }
    throw SqlFailure.exception(
        "The store " + file + " was written by a newer version of this program.", null);
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

  private <T> T patiently(long until, Patience.Attempt<T> attempt) throws SQLException {
    return patience.repeat(until, SqliteFaults::isBusy, SqliteFile::pause, attempt);
  }

  @Override
  public <T> List<T> query(String sql, Fields.Reader<T> read, @Nullable Object... values) {
    long until = patience.until();
    try {
      return readers.read(
          until, session -> patiently(until, () -> session.query(sql, read, values)));
    } catch (TimeoutException e) {
      throw faults.busy("read", null);
    } catch (SQLException e) {
      throw faults.cannotBe("read", e);
    }
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
      throw faults.busy("written", e);
    } catch (SQLException e) {
      throw faults.cannotBe("written", e);
    }
  }

  @Override
  public Command.Outcome all(
      List<Command> commands, List<Announcements.AgentAnnouncement> announced) {
    AtomicReference<Command.@Nullable Outcome> outcome = new AtomicReference<>();
    boolean unused =
        together(session -> {
          Command.Outcome done = session.run(commands);
          outcome.set(done);
          return done.isKept();
        });
    Command.Outcome done = Objects.requireNonNull(outcome.get());
    if (done.isKept()) {
      announced.forEach(announcements::announce);
    }
    return done;
  }

  private boolean written(List<Work> works, long until) throws SQLException {
    lock.lock();
    try {
      opened.checkPresent();
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
        SqliteFile.pause();
      }
      return true;
    } catch (SQLException e) {
      throw faults.cannotBe("written", e);
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
    try (Connection own = SqliteFile.connect(file, until)) {
      SqliteFile.waitInSteps(own);
      SqliteFile.execute(own, OVERWRITE);
      return patiently(until, () -> rewriting.done(own, givesWay));
    } catch (SQLException e) {
      throw faults.cannotBe("written", e);
    } finally {
      if (!givesWay) {
        lock.unlock();
      }
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
    return faults.damaged(what, fault);
  }

  @Override
  public void close() {
    scrub.close();
    lock.lock();
    try {
      readers.close();
      writer.connection().close();
    } catch (SQLException e) {
      throw faults.cannotBe("closed", e);
    } finally {
      lock.unlock();
    }
  }
}
