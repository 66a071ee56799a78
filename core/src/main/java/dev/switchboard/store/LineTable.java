package dev.switchboard.store;

import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.json.Json;
import dev.switchboard.state.ConversationState;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The lines of an agent's conversations, and among them the calls that were settled and the
/// events: numbered from 1 in each conversation, without gaps, in the order they were written. The
/// events have such numbers of their own too.
record LineTable(Sql sql, String agent) {
  /// What the keys of settled calls begin with.
  static final String CALL = "call/";

  /// What the keys of events begin with.
  private static final String EVENT = "event/";

  private static final int KEYS_AT_ONCE = 16;

  /// Writes a line behind the conversation's others; false where one of that key is there.
  ///
  /// @param fence 0 where the line is written under no lease
  /// @param turn of a call, null for any other line
  /// @throws ConversationConflictException when the conversation's lease has another fence
  boolean append(
      String conversation, long fence, String key, @Nullable Integer turn, String entry) {
    return sql.together(session -> {
      if (!counted(session, conversation, fence, key)
          && !begun(session, conversation, fence, key)) {
        return false;
      }
      return session.change(
          "INSERT INTO line (agent, conversation, number, key, turn, entry, at)"
              + " SELECT agent, id, next - 1, ?, ?, ?, ? FROM conversation"
              + " WHERE agent = ? AND id = ? ON CONFLICT DO NOTHING",
          key,
          turn,
          entry,
          Time.SYSTEM.now().toEpochMilli(),
          agent,
          conversation);
    });
  }

  /// Writes events behind the conversation's others; without those whose key is there.
  ///
  /// @throws ConversationConflictException as [#append]
  List<Event.Logged> tell(String conversation, long fence, List<Event.Logged> events) {
    List<Event.Logged> told = new ArrayList<>();
    boolean unused =
        sql.together(session -> {
          told.clear();
          lock(session, conversation, fence);
          Counters counters = counters(session, conversation);
          Set<String> known = new HashSet<>(known(session, conversation, events));
          List<Object[]> rows = new ArrayList<>();
          for (Event.Logged event : events) {
            if (event.key() == null || known.add(event.key())) {
              told.add(event.numbered(counters.events + told.size() + 1));
              rows.add(row(conversation, counters.next + rows.size(), told.getLast()));
            }
          }
          session.insert(
              "INSERT INTO line (agent, conversation, number, key, event, run, entry, at)",
              "(?, ?, ?, ?, ?, ?, ?, ?)",
              rows);
          return !told.isEmpty()
              && session.change(
                  "UPDATE conversation SET next = next + ?, events = events + ?"
                      + " WHERE agent = ? AND id = ?",
                  told.size(),
                  told.size(),
                  agent,
                  conversation);
        });
    return told;
  }

  /// Keeps other writers away from the conversation, which may begin here, until this is done.
  private void lock(Session session, String conversation, long fence) throws SQLException {
    if (!locked(session, conversation, fence)) {
      begin(session, conversation);
      // Another may have begun it, and then has the row until it is done.
      if (!locked(session, conversation, fence)) {
        throw new ConversationConflictException(conversation, null);
      }
    }
  }

  /// False where the conversation has no row, or another fence.
  private boolean locked(Session session, String conversation, long fence) throws SQLException {
    return session.change(
        "UPDATE conversation SET events = events WHERE agent = ? AND id = ?"
            + " AND fence = CASE WHEN ? = 0 THEN fence ELSE ? END",
        agent,
        conversation,
        fence,
        fence);
  }

  /// The number of a conversation's next line, and how many events it has.
  private record Counters(long next, long events) {}

  private Counters counters(Session session, String conversation) throws SQLException {
    return session
        .query(
            "SELECT next, events FROM conversation WHERE agent = ? AND id = ?",
            row -> new Counters(row.number(1), row.number(2)),
            agent,
            conversation)
        .getFirst();
  }

  /// The keys of those events that are there.
  private List<String> known(Session session, String conversation, List<Event.Logged> events)
      throws SQLException {
    List<String> keys = events.stream().map(Event.Logged::key).filter(Objects::nonNull).toList();
    List<String> known = new ArrayList<>();
    for (int from = 0; from < keys.size(); from += KEYS_AT_ONCE) {
      List<Object> values = new ArrayList<>(List.of(agent, conversation));
      for (int i = 0; i < KEYS_AT_ONCE; i++) {
        values.add(EVENT + keys.get(Math.min(from + i, keys.size() - 1)));
      }
      session
          .query(
              "SELECT key FROM line WHERE agent = ? AND conversation = ? AND key IN (?"
                  + ", ?".repeat(KEYS_AT_ONCE - 1)
                  + ")",
              row -> row.text(1),
              values.toArray())
          .forEach(key -> known.add(key.substring(EVENT.length())));
    }
    return known;
  }

  // What a row holds may be null, which the many rows of one command cannot say of theirs.
  @SuppressWarnings("NullAway")
  private Object[] row(String conversation, long number, Event.Logged event) {
    String key = event.key() == null ? "#" + event.number() : event.key();
    return new Object[] {
      agent,
      conversation,
      number,
      EVENT + key,
      event.number(),
      event.run(),
      event.event().text(),
      event.at().toEpochMilli()
    };
  }

  List<Event.Logged> events(String conversation, long after, int most) {
    return sql.query(
        "SELECT event, key, run, at, entry FROM line WHERE agent = ? AND conversation = ?"
            + " AND event > ? ORDER BY event LIMIT ?",
        LineTable::event,
        agent,
        conversation,
        after,
        most);
  }

  Event.@Nullable Logged event(String conversation, String key) {
    List<Event.Logged> found =
        sql.query(
            "SELECT event, key, run, at, entry FROM line"
                + " WHERE agent = ? AND conversation = ? AND key = ?",
            LineTable::event,
            agent,
            conversation,
            EVENT + key);
    return found.isEmpty() ? null : found.getFirst();
  }

  private static Event.Logged event(Fields row) throws SQLException {
    return new Event.Logged(
        row.number(1),
        key(row.text(2)),
        row.textOrNull(3),
        Instant.ofEpochMilli(row.number(4)),
        Json.text(row.text(5)));
  }

  private static @Nullable String key(String stored) {
    return stored.startsWith(EVENT + '#') ? null : stored.substring(EVENT.length());
  }

  /// Takes the next number; false where the line is there, or the conversation is not.
  private boolean counted(Session session, String conversation, long fence, String key)
      throws SQLException {
    boolean counted =
        session.change(
            "UPDATE conversation SET next = next + 1 WHERE agent = ? AND id = ?"
                + " AND fence = CASE WHEN ? = 0 THEN fence ELSE ? END AND NOT EXISTS"
                + " (SELECT 1 FROM line WHERE agent = ? AND conversation = ? AND key = ?)",
            agent,
            conversation,
            fence,
            fence,
            agent,
            conversation,
            key);
    if (!counted) {
      checkFence(session, conversation, fence);
    }
    return counted;
  }

  private void checkFence(Session session, String conversation, long fence) throws SQLException {
    if (fence != 0 && !isAt(session, conversation, fence)) {
      throw new ConversationConflictException(conversation, null);
    }
  }

  private boolean isAt(Session session, String conversation, long fence) throws SQLException {
    return !session
        .query(
            "SELECT 1 FROM conversation WHERE agent = ? AND id = ? AND fence = ?",
            row -> true,
            agent,
            conversation,
            fence)
        .isEmpty();
  }

  /// Begins a conversation that has no state so far; false where it has one.
  private boolean begun(Session session, String conversation, long fence, String key)
      throws SQLException {
    List<Boolean> known =
        session.query(
            "SELECT 1 FROM conversation WHERE agent = ? AND id = ?",
            row -> true,
            agent,
            conversation);
    if (!known.isEmpty()) {
      return false;
    }
    begin(session, conversation);
    return counted(session, conversation, fence, key);
  }

  private void begin(Session session, String conversation) throws SQLException {
    boolean unused =
        session.change(
            "INSERT INTO conversation (agent, id, version, state, fence, next, created)"
                + " VALUES (?, ?, 0, ?, 0, 1, ?) ON CONFLICT DO NOTHING",
            agent,
            conversation,
            StoredForm.CONVERSATION.write(ConversationState.NEW),
            Time.SYSTEM.now().toEpochMilli());
  }
}
