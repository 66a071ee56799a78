package dev.switchboard.store;

import dev.switchboard.execution.ConversationStore.Summary;
import dev.switchboard.execution.SessionState;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// An agent's conversations over all tables that hold something of one.
///
/// @param state reads what the door remembers of one
record ConversationTable(Sql sql, String agent, Function<String, SessionState> state) {
  private static final List<String> DELETIONS =
      List.of(
          "DELETE FROM line WHERE agent = ? AND conversation = ?",
          "DELETE FROM settled_call WHERE agent = ? AND conversation = ?",
          "DELETE FROM conversation WHERE agent = ? AND id = ?",
          // Last, so that a process that is in it finds it gone.
          "DELETE FROM loop WHERE agent = ? AND conversation = ?");

  /// What two tables tell of a conversation.
  ///
  /// @param undated how many lines are older than their column of times
  private record Span(@Nullable Instant first, @Nullable Instant last, int count, long undated) {}

  List<Summary> all() {
    Map<String, Span> lines = spans("line");
    Map<String, Span> calls = spans("settled_call");
    Map<String, SessionState> states = new HashMap<>();
    each(
        "SELECT id, state FROM conversation WHERE agent = ?",
        row -> states.put(row.text(1), state.apply(row.text(2))));
    Map<String, Integer> turns = new HashMap<>();
    each(
        "SELECT conversation, state FROM loop WHERE agent = ?",
        row -> turns.put(row.text(1), Json.text(row.text(2)).tree().path("turn").asInt(0)));
    Map<String, Summary> all = new LinkedHashMap<>();
    for (Map<String, ?> known : List.of(lines, calls, states, turns)) {
      for (String id : known.keySet()) {
        all.computeIfAbsent(
            id,
            key ->
                summary(
                    key,
                    lines.get(key),
                    calls.get(key),
                    states.getOrDefault(key, SessionState.NEW),
                    turns.getOrDefault(key, 0)));
      }
    }
    return List.copyOf(all.values());
  }

  private interface Reader {
    @Nullable Object read(Fields row) throws SQLException;
  }

  private void each(String command, Reader reader) {
    List<Boolean> unused =
        sql.query(
            command,
            row -> {
              Object read = reader.read(row);
              return read == null;
            },
            agent);
  }

  private Map<String, Span> spans(String table) {
    Map<String, Span> spans = new HashMap<>();
    each(
        "SELECT conversation, min(at), max(at), count(*), count(*) - count(at) FROM "
            + table
            + " WHERE agent = ? GROUP BY conversation",
        row ->
            spans.put(
                row.text(1),
                new Span(instant(row, 2), instant(row, 3), row.small(4), row.number(5))));
    return spans;
  }

  private static @Nullable Instant instant(Fields row, int column) throws SQLException {
    Long millis = row.numberOrNull(column);
    return millis == null ? null : Instant.ofEpochMilli(millis);
  }

  private Summary summary(
      String id, @Nullable Span lines, @Nullable Span calls, SessionState kept, int turns) {
    List<Instant> moments = new ArrayList<>();
    for (@Nullable Span span : new @Nullable Span[] {lines, calls}) {
      if (span != null && span.first != null && span.last != null) {
        moments.addAll(List.of(span.first, span.last));
      }
    }
    if (lines != null && lines.undated > 0) {
      moments.addAll(ofLines(id));
    }
    moments.sort(null);
    return new Summary(
        id,
        moments.isEmpty() ? null : moments.getFirst(),
        moments.isEmpty() ? null : moments.getLast(),
        Math.max(turns, kept.turn()),
        calls == null ? 0 : calls.count,
        (int) kept.waiting().stream().filter(one -> one.takenUntil() == null).count());
  }

  /// When the first and the latest line were written, as they themselves say: those of an earlier
  /// version have no other time.
  private List<Instant> ofLines(String id) {
    List<Instant> moments = new ArrayList<>();
    for (String order : List.of("", " DESC")) {
      sql.query(
              "SELECT entry FROM line WHERE agent = ? AND conversation = ? ORDER BY number"
                  + order
                  + " LIMIT 1",
              row -> row.text(1),
              agent,
              id)
          .forEach(entry -> {
            try {
              moments.add(Instant.parse(Json.text(entry).tree().path("at").asString("")));
            } catch (DateTimeException | JsonException e) {
              // Its time is not known.
            }
          });
    }
    return moments;
  }

  boolean delete(String conversation) {
    return sql.together(session -> {
      boolean any = false;
      for (String command : DELETIONS) {
        any |= session.change(command, agent, conversation);
      }
      return any;
    });
  }
}
