package dev.switchboard.store;

import dev.switchboard.json.Json;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.MemoryQuery;
import dev.switchboard.memory.MemoryQuery.Hits;
import dev.switchboard.text.Words;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The entries of agents' memory, with the index of their words.
final class EntryTable {
  /// An entry, and as the ninth field its number.
  static final String ENTRY =
      "SELECT s.agent, s.domain, e.id, e.label, e.role, e.text, e.tags, e.at, e.number"
          + " FROM memory_entry e JOIN memory_scope s ON s.number = e.scope";

  private static final int PAGE = 500;

  private record Scope(String agent, String domain) {}

  private final SearchableSql sql;

  EntryTable(SearchableSql sql) {
    this.sql = sql;
  }

  /// Stores the new ones, all or none; returns how many they were.
  int insertAll(List<Entry> entries) {
    List<List<String>> words = entries.stream().map(entry -> Words.of(entry.text())).toList();
    List<WordIndex.Indexed> added = new ArrayList<>();
    boolean kept =
        sql.together(session -> {
          added.clear();
          added.addAll(insert(session, entries, words));
          sql.words().add(session, added);
          return !added.isEmpty();
        });
    return kept ? added.size() : 0;
  }

  private List<WordIndex.Indexed> insert(
      SqlSession session, List<Entry> entries, List<List<String>> words) throws SQLException {
    List<WordIndex.Indexed> added = new ArrayList<>();
    List<Object[]> tags = new ArrayList<>();
    Map<Scope, Long> numbers = new HashMap<>();
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      Scope key = new Scope(entry.agent(), entry.domain());
      Long stored = numbers.get(key);
      long scope =
          stored == null
              ? ScopeTable.number(session, key.agent, key.domain, sql.syntax().sharingLocked())
              : stored;
      numbers.put(key, scope);
      Long number = insert(session, scope, entry);
      if (number != null) {
        added.add(new WordIndex.Indexed(number, scope, words.get(i)));
        entry.tags().stream().distinct().forEach(tag -> tags.add(new Object[] {number, tag}));
      }
    }
    session.insert("INSERT INTO memory_tag (entry, tag)", "(?, ?)", tags);
    return added;
  }

  private static @Nullable Long insert(SqlSession session, long scope, Entry entry)
      throws SQLException {
    return first(
        session.query(
            "INSERT INTO memory_entry (scope, id, label, role, text, tags, at)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING number",
            row -> row.number(1),
            scope,
            entry.id(),
            entry.label(),
            entry.role(),
            entry.text(),
            Json.of(entry.tags()).text(),
            Nanoseconds.of(entry.at())));
  }

  @Nullable Entry entry(String agent, String domain, String id) {
    return first(
        sql.query(
            ENTRY + " WHERE s.agent = ? AND s.domain = ? AND e.id = ?",
            EntryTable::entry,
            agent,
            domain,
            id));
  }

  /// Passes the agent's entries to the reader, a page at a time.
  void forEach(String agent, Consumer<Entry> reader) {
    long after = 0;
    List<Numbered> page;
    do {
      page =
          sql.query(
              ENTRY + " WHERE s.agent = ? AND e.number > ? ORDER BY e.number LIMIT " + PAGE,
              row -> new Numbered(row.number(9), entry(row)),
              agent,
              after);
      for (Numbered next : page) {
        reader.accept(next.entry);
        after = next.number;
      }
    } while (page.size() == PAGE);
  }

  private record Numbered(long number, Entry entry) {}

  static Entry entry(Fields row) throws SQLException {
    return new Entry(
        row.text(1),
        row.text(2),
        row.text(3),
        row.text(4),
        row.textOrNull(5),
        row.text(6),
        Json.text(row.text(7)).tree().valueStream().map(JsonNode::stringValue).toList(),
        Nanoseconds.instant(row.number(8)));
  }

  boolean delete(String agent, String domain, String id) {
    return sql.together(session -> {
      Long number =
          first(
              session.query(
                  "DELETE FROM memory_entry WHERE id = ? AND scope ="
                      + " (SELECT number FROM memory_scope WHERE agent = ? AND domain = ?)"
                      + " RETURNING number",
                  row -> row.number(1),
                  id,
                  agent,
                  domain));
      if (number == null) {
        return false;
      }
      boolean unused = session.change("DELETE FROM memory_tag WHERE entry = ?", number);
      unused = sql.vectors().remove(session, number);
      sql.words().remove(session, number);
      return true;
    });
  }

  Hits search(MemoryQuery query) {
    List<Long> scopes = scopes(query);
    WordIndex.Filter filter = filter(query);
    if (scopes.isEmpty()) {
      return new Hits(List.of(), 0);
    }
    if (query.text().isBlank()) {
      return latest(query, scopes, filter);
    }
    List<Words.Phrase> sought = Words.sought(query.text());
    if (sought.isEmpty()) {
      return new Hits(List.of(), 0);
    }
    WordIndex.Best best = sql.words().best(sql, sought, scopes, filter, query.limit());
    List<Hits.Hit> hits = hits(best.found());
    boolean all = best.found().size() < query.limit();
    return Hits.ranked(sought, hits, all ? hits.size() : Math.max(best.total(), hits.size()));
  }

  /// The entries that were found, without those deleted in between.
  List<Hits.Hit> hits(List<WordIndex.Found> best) {
    if (best.isEmpty()) {
      return List.of();
    }
    Map<Long, Entry> entries = new HashMap<>();
    sql.query(
        ENTRY + " WHERE e.number IN (" + marks(best.size()) + ")",
        row -> entries.put(row.number(9), entry(row)),
        best.stream().map(WordIndex.Found::number).toArray());
    List<Hits.Hit> hits = new ArrayList<>();
    for (WordIndex.Found found : best) {
      Entry entry = entries.get(found.number());
      if (entry != null) {
        hits.add(new Hits.Hit(entry, found.weight()));
      }
    }
    return hits;
  }

  private Hits latest(MemoryQuery query, List<Long> scopes, WordIndex.Filter filter) {
    String where = " WHERE e.scope IN (" + marks(scopes.size()) + ")" + filter.sql();
    List<Object> values = new ArrayList<>(scopes);
    values.addAll(filter.values());
    long total =
        sql.query(
                "SELECT count(*) FROM memory_entry e" + where,
                row -> row.number(1),
                values.toArray())
            .getFirst();
    values.add(query.limit());
    List<Entry> entries =
        sql.query(
            ENTRY + where + " ORDER BY e.at DESC, e.number DESC LIMIT ?",
            EntryTable::entry,
            values.toArray());
    return Hits.latest(entries, Math.max(total, entries.size()));
  }

  List<Long> scopes(MemoryQuery query) {
    List<Object> values = new ArrayList<>(query.domains());
    values.add(query.agent());
    return sql.query(
        "SELECT number FROM memory_scope WHERE domain IN ("
            + marks(query.domains().size())
            + ") AND agent = ? ORDER BY number",
        row -> row.number(1),
        values.toArray());
  }

  static WordIndex.Filter filter(MemoryQuery query) {
    StringBuilder where = new StringBuilder();
    List<Object> values = new ArrayList<>();
    for (String tag : query.tags()) {
      where.append(
          " AND e.number IN (SELECT entry FROM memory_tag"
              + " WHERE substr(tag, 1, 200) = substr(?, 1, 200) AND tag = ?)");
      values.addAll(List.of(tag, tag));
    }
    if (query.label() != null) {
      // The beginning is what PostgreSQL's index holds.
      where.append(" AND substr(e.label, 1, 200) = substr(?, 1, 200) AND e.label = ?");
      values.addAll(List.of(query.label(), query.label()));
    }
    also(" AND e.role = ?", query.role(), where, values);
    also(
        " AND e.at >= ?",
        query.from() == null ? null : Nanoseconds.of(query.from()),
        where,
        values);
    also(" AND e.at < ?", query.to() == null ? null : Nanoseconds.of(query.to()), where, values);
    return new WordIndex.Filter(where.toString(), values);
  }

  private static void also(
      String condition, @Nullable Object value, StringBuilder where, List<Object> values) {
    if (value != null) {
      where.append(condition);
      values.add(value);
    }
  }

  static String marks(int count) {
    return "?" + ", ?".repeat(count - 1);
  }

  private static <T> @Nullable T first(List<T> rows) {
    return rows.isEmpty() ? null : rows.getFirst();
  }
}
