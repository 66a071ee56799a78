package dev.switchboard.store;

import dev.switchboard.state.ConversationState;
import dev.switchboard.time.Time;
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

  /// Writes a line behind the conversation's others, from which other writers are kept away;
  /// nothing where one of its key is there, which is no fault for a call: the first answer is the
  /// one.
  Command append(String conversation, Row row) {
    // A select in the place of the values would be gathered in a table of its own first.
    Command written =
        Command.change(
            "INSERT INTO line (agent, conversation, number, key, turn, entry, at) VALUES"
                + " (?, ?, (SELECT coalesce(max(number), 0) + 1 FROM line"
                + " WHERE agent = ? AND conversation = ?), ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            agent,
            conversation,
            agent,
            conversation,
            row.key,
            Missing.INTEGER.or(row.turn),
            row.entry,
            Time.SYSTEM.now().toEpochMilli());
    return row.turn == null ? written.orNone() : written;
  }

  /// Keeps other writers away from the conversation until this is done; nothing where it has no
  /// row, or another fence.
  ///
  /// @param fence 0 where something is written under no lease
  Command lock(String conversation, long fence) {
    return Command.lock(
            "SELECT 1 FROM conversation WHERE agent = ? AND id = ?"
                + " AND fence = CASE WHEN ? = 0 THEN fence ELSE ? END",
            agent,
            conversation,
            fence,
            fence)
        .orNone();
  }

  /// Makes the row of a conversation that has none.
  Command begin(String conversation) {
    return Command.change(
        "INSERT INTO conversation (agent, id, version, state, fence, created)"
            + " VALUES (?, ?, 0, ?, 0, ?) ON CONFLICT DO NOTHING",
        agent,
        conversation,
        StoredForm.CONVERSATION.write(ConversationState.NEW),
        Time.SYSTEM.now().toEpochMilli());
  }
}
