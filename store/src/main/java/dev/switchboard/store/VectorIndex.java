package dev.switchboard.store;

import dev.switchboard.memory.VectorStore;
import java.sql.SQLException;
import java.util.List;

/// The vectors of entries and their comparison. Its table has the columns `entry`, `scope`, `model`
/// and `vector`.
interface VectorIndex {
  /// The table's name.
  String table();

  /// The placeholder for a vector in a command.
  String placeholder();

  /// The vector as a value of a command.
  Object value(VectorStore.Vector vector);

  /// The entries of these scopes with the most similar vectors of that model, weighed by their
  /// similarity.
  List<WordIndex.Found> nearest(
      Sql sql,
      String model,
      VectorStore.Vector vector,
      List<Long> scopes,
      WordIndex.Filter filter,
      int most);

  /// Deletes an entry's vector; false if there is none.
  default boolean remove(SqlSession session, long number) throws SQLException {
    return session.change("DELETE FROM " + table() + " WHERE entry = ?", number);
  }

  /// The table, with the alias `v`, and the entries if they are filtered.
  default String from(WordIndex.Filter filter) {
    return " FROM "
        + table()
        + " v"
        + (filter.isEmpty() ? "" : " JOIN memory_entry e ON e.number = v.entry");
  }
}
