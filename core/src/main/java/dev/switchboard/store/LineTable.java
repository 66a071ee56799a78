package dev.switchboard.store;

import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.state.ConversationState;
import dev.switchboard.time.Time;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// The lines of an agent's conversations, and among them the calls that were settled: numbered in
/// each conversation in the order they were written.
record LineTable(Sql sql, String agent) {
  /// What the keys of settled calls begin with.
  static final String CALL = "call/";

  /// Writes a line behind the conversation's others; false where one of that key is there.
  ///
  /// @param fence 0 where the line is written under no lease
  /// @param turn of a call, null for any other line
  /// @throws ConversationConflictException when the conversation's lease has another fence
  boolean append(
      String conversation, long fence, String key, @Nullable Integer turn, String entry) {
    boolean[] written = {false};
    boolean unused =
        sql.together(session -> {
          lock(session, conversation, fence);
          written[0] =
              session.change(
                  "INSERT INTO line (agent, conversation, number, key, turn, entry, at)"
                      + " SELECT ?, ?, coalesce(max(number), 0) + 1, ?, ?, ?, ? FROM line"
                      + " WHERE agent = ? AND conversation = ? ON CONFLICT DO NOTHING",
                  agent,
                  conversation,
                  key,
                  turn,
                  entry,
                  Time.SYSTEM.now().toEpochMilli(),
                  agent,
                  conversation);
          return true;
        });
    return written[0];
  }

  /// Keeps other writers away from the conversation, which may begin here, until this is done.
  ///
  /// @throws ConversationConflictException as [#append]
  void lock(Session session, String conversation, long fence) throws SQLException {
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
    return session.lock(
        "SELECT 1 FROM conversation WHERE agent = ? AND id = ?"
            + " AND fence = CASE WHEN ? = 0 THEN fence ELSE ? END",
        agent,
        conversation,
        fence,
        fence);
  }

  private void begin(Session session, String conversation) throws SQLException {
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
