package dev.switchboard.store;

import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.state.ConversationState;
import dev.switchboard.time.Time;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The lines of an agent's conversations, and among them the calls that were settled: numbered from
/// 1 in each conversation, without gaps, in the order they were written.
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
    if (!counted && fence != 0 && !isAt(session, conversation, fence)) {
      throw new ConversationConflictException(conversation, null);
    }
    return counted;
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
    boolean unused =
        session.change(
            "INSERT INTO conversation (agent, id, version, state, fence, next)"
                + " VALUES (?, ?, 0, ?, 0, 1) ON CONFLICT DO NOTHING",
            agent,
            conversation,
            StoredForm.CONVERSATION.write(ConversationState.NEW));
    return counted(session, conversation, fence, key);
  }
}
