package dev.switchboard.store;

import dev.switchboard.text.Words;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/// The words of entries in FTS5, which keeps no text of its own.
final class SqliteWords implements WordIndex {
  @Override
  public void add(SqlSession session, List<Indexed> entries) throws SQLException {
    session.insert(
        "INSERT INTO memory_words (rowid, words)",
        "(?, ?)",
        entries.stream().map(entry -> new Object[] {entry.number(), text(entry)}).toList());
  }

  private static String text(Indexed entry) {
    return entry.words().stream()
        .map(word -> WordIndex.word(entry.scope(), word))
        .collect(Collectors.joining(" "));
  }

  @Override
  public void remove(SqlSession session, long number) throws SQLException {
    boolean unused = session.change("DELETE FROM memory_words WHERE rowid = ?", number);
  }

  @Override
  public Best best(Sql sql, List<Words.Phrase> sought, List<Long> scopes, Filter filter, int most) {
    String expression = WordIndex.either(sought, scopes, SqliteWords::phrase, " OR ");
    List<Found> found =
        sql.query(
            "SELECT w.rowid, -w.rank FROM memory_words w"
                + matching(filter)
                + " ORDER BY w.rank, w.rowid DESC LIMIT ?",
            row -> new Found(row.number(1), row.decimal(2)),
            WordIndex.values(expression, filter, most));
    return new Best(found, found.size() < most ? found.size() : total(sql, expression, filter));
  }

  private static long total(Sql sql, String expression, Filter filter) {
    return sql.query(
            "SELECT count(*) FROM memory_words w" + matching(filter),
            row -> row.number(1),
            WordIndex.values(expression, filter))
        .getFirst();
  }

  private static String matching(Filter filter) {
    return filter.isEmpty()
        ? " WHERE w.words MATCH ?"
        : " CROSS JOIN memory_entry e ON e.number = w.rowid WHERE w.words MATCH ?" + filter.sql();
  }

  /// Words hold no quotes, and nothing between quotes is a command.
  private static String phrase(long scope, Words.Phrase phrase) {
    String words =
        phrase.words().stream()
            .map(word -> WordIndex.word(scope, word))
            .collect(Collectors.joining(" "));
    return '"' + words + '"' + (phrase.begins() ? " *" : "");
  }
}
