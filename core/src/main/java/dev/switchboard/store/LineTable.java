package dev.switchboard.store;

import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.state.ConversationState;
import dev.switchboard.time.Time;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The lines of an agent's conversations, and among them the calls that were settled: numbered in
/// each conversation in the order they were written.
record LineTable(String agent) {
  /// What the keys of settled calls begin with.
  static final String CALL = "call/";

  /// A line to be written.
  ///
  /// @param turn of a call, null for any other line
  record Row(String key, @Nullable Integer turn, String entry) {}

  /// Writes lines behind the conversation's others, from which other writers are kept away; false
  /// where one of a key is there. A call is answered once: of its key the first line is the one.
  boolean append(Session session, String conversation, List<Row> rows) throws SQLException {
    for (Row row : rows) {
      // A select in the place of the values would be gathered in a table of its own first.
      boolean written =
          session.change(
              "INSERT INTO line (agent, conversation, number, key, turn, entry, at) VALUES"
                  + " (?, ?, (SELECT coalesce(max(number), 0) + 1 FROM line"
                  + " WHERE agent = ? AND conversation = ?), ?, ?, ?, ?) ON CONFLICT DO NOTHING",
              agent,
              conversation,
              agent,
              conversation,
              row.key,
              row.turn,
              row.entry,
              Time.SYSTEM.now().toEpochMilli());
      if (!written && row.turn == null) {
        return false;
      }
    }
    return true;
  }

  /// Keeps other writers away from the conversation, which may begin here, until this is done.
  ///
  /// @param fence 0 where something is written under no lease
  /// @throws ConversationConflictException when the conversation's lease has another fence
  void lock(Session session, String conversation, long fence) throws SQLException {
    if (!locked(session, conversation, fence)) {
      begin(session, conversation);
      // Another may have begun it, and then has the row until it is done.
      if (!locked(session, conversation, fence)) {
        throw new ConversationConflictException(conversation, null);
      }
    }
  }

  /// Keeps other writers away from the conversation; false where it has no row, or another fence.
  boolean locked(Session session, String conversation, long fence) throws SQLException {
    return session.lock(
        "SELECT 1 FROM conversation WHERE agent = ? AND id = ?"
            + " AND fence = CASE WHEN ? = 0 THEN fence ELSE ? END",
        agent,
        conversation,
        fence,
        fence);
  }

  /// Makes the row of a conversation that has none.
  void begin(Session session, String conversation) throws SQLException {
    boolean unused =
        session.change(
            "INSERT INTO conversation (agent, id, version, state, fence, created)"
                + " VALUES (?, ?, 0, ?, 0, ?) ON CONFLICT DO NOTHING",
            agent,
            conversation,
            StoredForm.CONVERSATION.write(ConversationState.NEW),
            Time.SYSTEM.now().toEpochMilli());
  }
}
