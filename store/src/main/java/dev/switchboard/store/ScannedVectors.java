package dev.switchboard.store;

import dev.switchboard.memory.VectorStore;
import dev.switchboard.store.WordIndex.Found;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/// Vectors in a database without support for them: all of an agent's are read, a page at a time,
/// and compared here.
final class ScannedVectors implements VectorIndex {
  private static final int PAGE = 1_000;
  private static final Comparator<Found> BEST_LAST =
      Comparator.comparingDouble(Found::weight).thenComparingLong(Found::number);

  @Override
  public String table() {
    return "memory_vector";
  }

  @Override
  public String placeholder() {
    return "?";
  }

  @Override
  public Object value(VectorStore.Vector vector) {
    return vector.bytes();
  }

  @Override
  public List<Found> nearest(
      Sql sql,
      String model,
      VectorStore.Vector vector,
      List<Long> scopes,
      WordIndex.Filter filter,
      int most) {
    PriorityQueue<Found> best = new PriorityQueue<>(BEST_LAST);
    for (long scope : scopes) {
      long after = 0;
      List<Found> page;
      do {
        page = page(sql, model, vector, scope, filter, after);
        for (Found found : page) {
          best.add(found);
          if (best.size() > most) {
            best.remove();
          }
          after = found.number();
        }
      } while (page.size() == PAGE);
    }
    return best.stream().sorted(BEST_LAST.reversed()).toList();
  }

  private List<Found> page(
      Sql sql,
      String model,
      VectorStore.Vector vector,
      long scope,
      WordIndex.Filter filter,
      long after) {
    List<Object> values = new ArrayList<>(List.of(model, scope, after));
    values.addAll(filter.values());
    return sql.query(
        "SELECT v.entry, v.vector"
            + from(filter)
            + " WHERE v.model = ? AND v.scope = ? AND v.entry > ?"
            + filter.sql()
            + " ORDER BY v.entry LIMIT "
            + PAGE,
        row -> new Found(row.number(1), vector.similarity(row.bytes(2))),
        values.toArray());
  }
}
