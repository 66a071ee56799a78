package dev.switchboard.store;

import dev.switchboard.text.Words;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// The index of the words of entries in a text search vector, with the words as
/// [dev.switchboard.text.Words] splits them.
final class PostgresWords implements WordIndex {
  private static final int MOST_POSITIONS = 250;

  private static final String OF_ONE =
      """
      SELECT number, rank, (SELECT count(*) FROM part) FROM part
      ORDER BY rank DESC, number DESC LIMIT ?
      """;

  /// Weighs words higher that are rare among all matching entries.
  private static final String OF_SEVERAL =
      """
      , fitting AS (SELECT count(DISTINCT number) AS count FROM part),
      weight AS (
        SELECT n, ln(1 + (SELECT count FROM fitting) / count(*)::float8) AS weight
        FROM part GROUP BY n)
      SELECT number, sum(rank * weight) AS score, (SELECT count FROM fitting)
      FROM part JOIN weight USING (n)
      GROUP BY number ORDER BY score DESC, number DESC LIMIT ?
      """;

  @Override
  public void add(SqlSession session, List<Indexed> entries) throws SQLException {
    session.insert(
        "INSERT INTO memory_words (number, words)",
        "(?, ?::tsvector)",
        entries.stream()
            .map(entry -> new Object[] {entry.number(), vector(entry.scope(), entry.words())})
            .toList());
  }

  /// Words contain neither quotes nor backslashes.
  private static String vector(long scope, List<String> words) {
    Map<String, List<String>> positions = new LinkedHashMap<>();
    for (int i = 0; i < words.size(); i++) {
      List<String> known = positions.computeIfAbsent(words.get(i), any -> new ArrayList<>());
      if (known.size() < MOST_POSITIONS) {
        known.add(String.valueOf(i + 1));
      }
    }
    return positions.entrySet().stream()
        .map(entry -> quoted(scope, entry.getKey()) + ":" + String.join(",", entry.getValue()))
        .collect(Collectors.joining(" "));
  }

  @Override
  public void remove(SqlSession session, long number) throws SQLException {
    boolean unused = session.change("DELETE FROM memory_words WHERE number = ?", number);
  }

  @Override
  public Best best(Sql sql, List<Words.Phrase> sought, List<Long> scopes, Filter filter, int most) {
    String phrases =
        sought.stream()
            .map(phrase -> '"' + expression(List.of(phrase), scopes) + '"')
            .collect(Collectors.joining(",", "{", "}"));
    // 16: a word is more in a text of few words than of many, by the logarithm of their number.
    String parts =
        """
        WITH part AS MATERIALIZED (
          SELECT sought.n, w.number, ts_rank(w.words, sought.phrase, 16) AS rank
          FROM unnest(?::tsquery[]) WITH ORDINALITY AS sought (phrase, n)
          JOIN memory_words w ON w.words @@ sought.phrase %s)
        """
            .formatted(joined(filter));
    List<Counted> found =
        sql.query(
            parts + (sought.size() == 1 ? OF_ONE : OF_SEVERAL),
            row -> new Counted(new Found(row.number(1), row.decimal(2)), row.number(3)),
            WordIndex.values(phrases, filter, most));
    return new Best(
        found.stream().map(Counted::found).toList(), found.isEmpty() ? 0 : found.getFirst().total);
  }

  private record Counted(Found found, long total) {}

  private static String joined(Filter filter) {
    return filter.isEmpty()
        ? ""
        : " JOIN memory_entry e ON e.number = w.number WHERE true" + filter.sql();
  }

  private static String expression(List<Words.Phrase> sought, List<Long> scopes) {
    return WordIndex.either(sought, scopes, PostgresWords::phrase, " | ");
  }

  private static String phrase(long scope, Words.Phrase phrase) {
    String words =
        phrase.words().stream()
            .map(word -> quoted(scope, word))
            .collect(Collectors.joining(" <-> ", "(", ""));
    return words + (phrase.begins() ? ":*)" : ")");
  }

  private static String quoted(long scope, String word) {
    return "'" + WordIndex.word(scope, word) + "'";
  }
}
