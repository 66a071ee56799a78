package dev.switchboard.store;

import dev.switchboard.store.Storage.StoreException;
import dev.switchboard.time.Time;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A database that is open. Its commands are those that SQLite and PostgreSQL have in common. Safe
/// for use by several threads and processes.
interface Sql extends AutoCloseable {
  /// A row read.
  interface Row<T> {
    T read(Fields row) throws SQLException;
  }

  /// What is done together, or not at all; begun anew where it was in the way of another.
  interface Work {
    /// Whether it shall be kept.
    boolean done(Session session) throws SQLException;
  }

  /// What the work comes to, which waits for the database no longer than that, in this thread.
  <T extends @Nullable Object> T within(Duration most, Supplier<T> work);

  /// The rows that a query finds.
  <T> List<T> query(String sql, Row<T> read, @Nullable Object... values);

  /// Whether the command changed a row; the change is kept when this returns.
  boolean change(String sql, @Nullable Object... values);

  /// Whether the work was kept, as it is when this returns.
  boolean together(Work work);

  /// What the commands came to: all of them are kept when this returns, or none.
  ///
  /// @param told what others are told where they are kept
  Command.Outcome all(List<Command> commands, List<Announcements.Told> told);

  /// The moment by the database's clock, in milliseconds since 1970: an expression.
  String now();

  /// The same clock for this process.
  Time clock();

  /// The end of a query that locks the rows it finds, without those that another has locked.
  String skippingLocked();

  /// A column of any value whose query has its transaction not wait for the disk: what that keeps
  /// may be lost with the server, unless something is kept after it.
  String unsynced();

  /// What processes that share it tell each other.
  Announcements announcements();

  /// How the words of entries are found here.
  WordIndex words();

  /// How the vectors of entries are kept and compared here.
  VectorIndex vectors();

  /// Reserves the database for one server.
  ///
  /// @throws StoreException when another process has it
  Storage.Reservation reserve(String holder);

  /// For a value that is not as it should be.
  StoreException damaged(String what, @Nullable String fault);

  @Override
  void close();
}
