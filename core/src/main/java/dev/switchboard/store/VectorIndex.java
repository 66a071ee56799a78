package dev.switchboard.store;

import dev.switchboard.memory.VectorStore;
import java.sql.SQLException;
import java.util.List;

/// Where the vectors of entries stand and how they are compared. Its table has the columns `entry`,
/// `scope`, `model` and `vector`.
interface VectorIndex {
  /// The table's name.
  String table();

  /// What stands in a command for a vector.
  String placeholder();

  /// The vector as a value of a command.
  Object value(VectorStore.Vector vector);

  /// The entries of these scopes whose vectors of that model are the most alike, weighed by their
  /// similarity.
  List<WordIndex.Found> nearest(
      Sql sql,
      String model,
      VectorStore.Vector vector,
      List<Long> scopes,
      WordIndex.Filter filter,
      int most);

  /// Deletes an entry's vector; false where there is none.
  default boolean remove(Session session, long number) throws SQLException {
    return session.change("DELETE FROM " + table() + " WHERE entry = ?", number);
  }

  /// The table, called `v`, and the entries where they are filtered.
  default String from(WordIndex.Filter filter) {
    return " FROM "
        + table()
        + " v"
        + (filter.isEmpty() ? "" : " JOIN memory_entry e ON e.number = v.entry");
  }
}
