package dev.switchboard.store;

import dev.switchboard.json.Json;
import dev.switchboard.tool.Event;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The events of an agent's conversations, numbered from 1 without gaps in each, in the order they
/// were written.
record EventTable(Sql sql, String agent) {
  /// The keys that may be repeated and are looked up: not those of text.
  static final String INDEXED = "key NOT LIKE 'turn%/words/%'";

  static final Command.Rows ROWS = Command.Rows.of("event", "key", "run", "at", "event");

  /// Writes an event, and returns its number.
  Command append(String conversation, Event.Logged event) {
    return new Command.Append(
        ROWS,
        agent,
        conversation,
        false,
        List.of(
            Missing.TEXT.or(event.key()),
            Missing.TEXT.or(event.run()),
            event.at().toEpochMilli(),
            event.event().text()));
  }

  /// The events after that number, at most so many.
  List<Event.Logged> after(String conversation, long number, int most) {
    return sql.query(
        "SELECT number, key, run, at, event FROM event WHERE agent = ? AND conversation = ?"
            + " AND number > ? ORDER BY number LIMIT ?",
        EventTable::event,
        agent,
        conversation,
        number,
        most);
  }

  /// The event that was logged under that key, null if there is none.
  Event.@Nullable Logged find(String conversation, String key) {
    List<Event.Logged> found =
        sql.query(
            "SELECT number, key, run, at, event FROM event"
                + " WHERE agent = ? AND conversation = ? AND key = ?"
                + " AND "
                + INDEXED,
            EventTable::event,
            agent,
            conversation,
            key);
    return found.isEmpty() ? null : found.getFirst();
  }

  private static Event.Logged event(Fields row) throws SQLException {
    return new Event.Logged(
        row.number(1),
        row.textOrNull(2),
        row.textOrNull(3),
        Instant.ofEpochMilli(row.number(4)),
        Json.text(row.text(5)));
  }
}
