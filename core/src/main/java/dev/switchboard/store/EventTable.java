package dev.switchboard.store;

import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Event;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The events of an agent's conversations, numbered from 1 in each, without gaps, in the order they
/// were written.
///
/// @param lines of these conversations
record EventTable(Sql sql, String agent, LineTable lines) {
  private static final int KEYS_AT_ONCE = 16;

  /// Writes events behind the conversation's others; without those whose key is there.
  ///
  /// @throws ConversationConflictException when the conversation's lease has another fence
  List<Event.Logged> tell(String conversation, long fence, List<Event.Logged> events) {
    List<Event.Logged> told = new ArrayList<>();
    boolean unused =
        sql.together(session -> {
          lines.lock(session, conversation, fence);
          long last = last(session, conversation);
          told.clear();
          told.addAll(numbered(last, events));
          if (!written(session, conversation, told)) {
            remove(session, conversation, last);
            told.clear();
            told.addAll(numbered(last, fresh(session, conversation, events)));
            return !told.isEmpty() && written(session, conversation, told);
          }
          return true;
        });
    return told;
  }

  private long last(Session session, String conversation) throws SQLException {
    return session
        .query(
            "SELECT coalesce(max(number), 0) FROM event WHERE agent = ? AND conversation = ?",
            row -> row.number(1),
            agent,
            conversation)
        .getFirst();
  }

  private static List<Event.Logged> numbered(long last, List<Event.Logged> events) {
    List<Event.Logged> numbered = new ArrayList<>();
    for (Event.Logged event : events) {
      numbered.add(event.numbered(last + numbered.size() + 1));
    }
    return numbered;
  }

  /// False where the key of one is there; of the others some may be written.
  private boolean written(Session session, String conversation, List<Event.Logged> events)
      throws SQLException {
    List<Object[]> rows = events.stream().map(event -> row(conversation, event)).toList();
    return session.insertNew(
            "INSERT INTO event (agent, conversation, number, key, run, at, event)",
            "(?, ?, ?, ?, ?, ?, ?)",
            rows)
        == rows.size();
  }

  // What a row holds may be null, which the many rows of one command cannot say of theirs.
  @SuppressWarnings("NullAway")
  private Object[] row(String conversation, Event.Logged event) {
    return new Object[] {
      agent,
      conversation,
      event.number(),
      event.key(),
      event.run(),
      event.at().toEpochMilli(),
      event.event().text()
    };
  }

  private void remove(Session session, String conversation, long last) throws SQLException {
    boolean unused =
        session.change(
            "DELETE FROM event WHERE agent = ? AND conversation = ? AND number > ?",
            agent,
            conversation,
            last);
  }

  /// Those of the events whose key is not there.
  private List<Event.Logged> fresh(Session session, String conversation, List<Event.Logged> events)
      throws SQLException {
    Set<String> known = new HashSet<>(known(session, conversation, events));
    return events.stream().filter(event -> event.key() == null || known.add(event.key())).toList();
  }

  private List<String> known(Session session, String conversation, List<Event.Logged> events)
      throws SQLException {
    List<String> keys = events.stream().map(Event.Logged::key).filter(Objects::nonNull).toList();
    List<String> known = new ArrayList<>();
    for (int from = 0; from < keys.size(); from += KEYS_AT_ONCE) {
      List<Object> values = new ArrayList<>(List.of(agent, conversation));
      for (int i = 0; i < KEYS_AT_ONCE; i++) {
        values.add(keys.get(Math.min(from + i, keys.size() - 1)));
      }
      known.addAll(
          session.query(
              "SELECT key FROM event WHERE agent = ? AND conversation = ? AND key IN (?"
                  + ", ?".repeat(KEYS_AT_ONCE - 1)
                  + ")",
              row -> row.text(1),
              values.toArray()));
    }
    return known;
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

  /// The event that was told under that key, null where there is none.
  Event.@Nullable Logged told(String conversation, String key) {
    List<Event.Logged> found =
        sql.query(
            "SELECT number, key, run, at, event FROM event"
                + " WHERE agent = ? AND conversation = ? AND key = ?",
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
