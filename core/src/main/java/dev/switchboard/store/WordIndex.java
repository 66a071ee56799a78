package dev.switchboard.store;

import dev.switchboard.memory.Words;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Where the words of entries stand, each behind the number of its scope, so that a search meets
/// nothing of other agents.
interface WordIndex {
  /// An entry and the words of its text.
  record Indexed(long number, long scope, List<String> words) {}

  /// An entry that was found, before its score is brought to 0 to 1.
  record Found(long number, double weight) {}

  /// What fits best, the best first.
  ///
  /// @param total how many fit
  record Best(List<Found> found, long total) {}

  /// A condition on entries, called `e`, and its values.
  record Filter(String sql, List<Object> values) {
    boolean isEmpty() {
      return sql.isEmpty();
    }
  }

  /// Indexes entries that are new.
  void add(Session session, List<Indexed> entries) throws SQLException;

  void remove(Session session, long number) throws SQLException;

  /// The entries of these scopes that fit best.
  Best best(Sql sql, List<Words.Phrase> sought, List<Long> scopes, Filter filter, int most);

  /// A word as it is indexed.
  static String word(long scope, String word) {
    return scope + "_" + word;
  }

  /// What is sought, in each scope, in the database's language.
  static String either(List<Words.Phrase> sought, List<Long> scopes, Phrasing phrasing, String or) {
    return scopes.stream()
        .flatMap(scope -> sought.stream().map(phrase -> phrasing.of(scope, phrase)))
        .collect(Collectors.joining(or));
  }

  /// A phrase in a scope, in the database's language.
  interface Phrasing {
    String of(long scope, Words.Phrase phrase);
  }

  /// The values of a query in their order.
  static Object[] values(Object first, Filter filter, Object... more) {
    List<Object> all = new ArrayList<>();
    all.add(first);
    all.addAll(filter.values());
    all.addAll(List.of(more));
    return all.toArray();
  }
}
