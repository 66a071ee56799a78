package dev.switchboard.store;

import dev.switchboard.execution.ConversationStore.Summary;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.state.ConversationState;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// An agent's conversations over all tables that hold something of one.
///
/// @param state reads the state of one
record ConversationTable(Sql sql, String agent, Function<String, ConversationState> state) {
  private static final List<String> DELETIONS =
      List.of(
          "DELETE FROM line WHERE agent = ? AND conversation = ?",
          "DELETE FROM conversation WHERE agent = ? AND id = ?");

  /// What the lines of a conversation tell.
  ///
  /// @param undated how many are older than their column of times
  private record Span(@Nullable Instant first, @Nullable Instant last, int calls, long undated) {
    static final Span NONE = new Span(null, null, 0, 0);
  }

  List<Summary> all() {
    Map<String, Span> spans = new HashMap<>();
    List<?> unused =
        sql.query(
            "SELECT conversation, min(at), max(at), count(turn), count(*) - count(at) FROM line"
                + " WHERE agent = ? GROUP BY conversation",
            row ->
                spans.put(
                    row.text(1),
                    new Span(instant(row, 2), instant(row, 3), row.small(4), row.number(5))),
            agent);
    return sql
        .query(
            "SELECT id, state FROM conversation WHERE agent = ?",
            row -> Map.entry(row.text(1), state.apply(row.text(2))),
            agent)
        .stream()
        .map(row ->
            summary(row.getKey(), spans.getOrDefault(row.getKey(), Span.NONE), row.getValue()))
        .toList();
  }

  private static @Nullable Instant instant(Fields row, int column) throws SQLException {
    Long millis = row.numberOrNull(column);
    return millis == null ? null : Instant.ofEpochMilli(millis);
  }

  private Summary summary(String id, Span lines, ConversationState kept) {
    List<Instant> moments = new ArrayList<>(lines.undated > 0 ? ofLines(id) : List.of());
    if (lines.first != null && lines.last != null) {
      moments.addAll(List.of(lines.first, lines.last));
    }
    moments.sort(null);
    return new Summary(
        id,
        moments.isEmpty() ? null : moments.getFirst(),
        moments.isEmpty() ? null : moments.getLast(),
        kept.turn(),
        lines.calls,
        kept.unanswered().size());
  }

  /// When the first and the latest line were written, as they themselves say: those of an earlier
  /// version have no other time.
  private List<Instant> ofLines(String id) {
    List<Instant> moments = new ArrayList<>();
    for (String order : List.of("", " DESC")) {
      sql.query(
              "SELECT entry FROM line WHERE agent = ? AND conversation = ? AND turn IS NULL"
                  + " AND event IS NULL ORDER BY number"
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
