package dev.switchboard.store;

import dev.switchboard.execution.StoreException;
import dev.switchboard.time.Time;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// An open database. Its commands are those that SQLite and PostgreSQL have in common. Safe for use
/// by several threads and processes.
interface Sql extends AutoCloseable {
  /// Work in one transaction; repeated if it conflicts with another.
  interface Work {
    /// Whether to commit.
    boolean done(SqlSession session) throws SQLException;
  }

  /// The result of the work, which waits for the database at most that long, in this thread.
  <T extends @Nullable Object> T within(Duration most, Supplier<T> work);

  /// The rows that a query finds.
  <T> List<T> query(String sql, Fields.Reader<T> read, @Nullable Object... values);

  /// Whether the command changed a row; the change is committed when this returns.
  boolean change(String sql, @Nullable Object... values);

  /// Whether the work was committed; if so, it is when this returns.
  boolean together(Work work);

  /// Runs the commands: all of them are committed when this returns, or none.
  ///
  /// @param announced the announcements if they are committed
  Command.Outcome all(List<Command> commands, List<Announcements.AgentAnnouncement> announced);

  /// Its syntax.
  DatabaseSyntax syntax();

  /// The clock of the database, for this process.
  Time clock();

  /// The announcements between processes that share it.
  Announcements announcements();

  /// Reserves the database for one server, and returns what ends that.
  ///
  /// @throws StoreException when another process has it
  Runnable reserve(String holder);

  /// Makes deleted words unreadable in the files of the database, as far as it can, and not only
  /// unreachable.
  void scrub();

  /// The exception for a damaged value.
  StoreException damaged(String what, @Nullable String fault);

  @Override
  void close();
}
