package dev.switchboard.store;

import dev.switchboard.text.Words;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// The index of the words of entries, each after the number of its scope, so that a search finds
/// nothing of other agents.
interface WordIndex {
  /// An entry and the words of its text.
  record Indexed(long number, long scope, List<String> words) {}

  /// An entry that was found, before its score is scaled to 0 to 1.
  record Found(long number, double weight) {}

  /// The best matches, the best first.
  ///
  /// @param total how many entries match
  record Best(List<Found> found, long total) {}

  /// A condition on entries, with the alias `e`, and its values.
  record Filter(String sql, List<Object> values) {
    boolean isEmpty() {
      return sql.isEmpty();
    }
  }

  /// Indexes new entries.
  void add(SqlSession session, List<Indexed> entries) throws SQLException;

  void remove(SqlSession session, long number) throws SQLException;

  /// The best matches among the entries of these scopes.
  Best best(Sql sql, List<Words.Phrase> sought, List<Long> scopes, Filter filter, int most);

  /// A word as it is indexed.
  static String word(long scope, String word) {
    return scope + "_" + word;
  }

  /// The search expression for each scope, in the database's language.
  static String either(List<Words.Phrase> sought, List<Long> scopes, Phrasing phrasing, String or) {
    return scopes.stream()
        .flatMap(scope -> sought.stream().map(phrase -> phrasing.of(scope, phrase)))
        .collect(Collectors.joining(or));
  }

  /// A phrase in a scope, in the database's language.
  interface Phrasing {
    String of(long scope, Words.Phrase phrase);
  }

  /// The values of a query, in order.
  static Object[] values(Object first, Filter filter, Object... more) {
    List<Object> all = new ArrayList<>();
    all.add(first);
    all.addAll(filter.values());
    all.addAll(List.of(more));
    return all.toArray();
  }
}
