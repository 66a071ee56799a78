package dev.switchboard.store;

import dev.switchboard.memory.MemoryQuery;
import dev.switchboard.memory.MemoryQuery.Hits;
import dev.switchboard.memory.VectorStore;
import dev.switchboard.memory.VectorStore.Unembedded;
import java.util.List;

/// The vectors of entries of agents' memory.
record VectorTable(SearchableSql sql, EntryTable entries) {
  /// The agent's entries without a vector of that model, in the order they were stored.
  List<Unembedded> unembedded(String agent, String model, long after, int most) {
    return sql.query(
        EntryTable.ENTRY
            + " LEFT JOIN "
            + sql.vectors().table()
            + " v ON v.entry = e.number AND v.model = ? WHERE s.agent = ? AND e.number > ?"
            + " AND v.entry IS NULL ORDER BY e.number LIMIT ?",
        row -> new Unembedded(row.number(9), EntryTable.entry(row)),
        model,
        agent,
        after,
        most);
  }

  /// Stores the vector of an entry, if the entry still exists.
  void embed(long number, String model, VectorStore.Vector vector) {
    boolean unused =
        sql.change(
            "INSERT INTO "
                + sql.vectors().table()
                + " (entry, scope, model, vector) SELECT number, scope, ?, "
                + sql.vectors().placeholder()
                + " FROM memory_entry WHERE number = ? ON CONFLICT (entry)"
                + " DO UPDATE SET model = excluded.model, vector = excluded.vector",
            model,
            sql.vectors().value(vector),
            number);
  }

  List<Hits.Hit> nearest(MemoryQuery query, String model, VectorStore.Vector vector) {
    List<Long> scopes = entries.scopes(query);
    return scopes.isEmpty()
        ? List.of()
        : entries.hits(
            sql.vectors()
                .nearest(sql, model, vector, scopes, EntryTable.filter(query), query.limit()));
  }
}
