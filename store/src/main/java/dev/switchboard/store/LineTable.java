package dev.switchboard.store;

import dev.switchboard.time.Time;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The lines of an agent's conversations, including settled calls, numbered in each conversation in
/// the order they were written.
///
/// @param time of the rows
record LineTable(String agent, Time time) {
  /// The prefix of the keys of settled calls.
  static final String CALL = "call/";

  static final Command.Rows ROWS = Command.Rows.of("line", "key", "turn", "entry", "at");
  private static final String LOCK =
      "SELECT fence FROM conversation WHERE agent = ? AND id = ?"
          + " AND fence = CASE WHEN ? = 0 THEN fence ELSE ? END";

  private static final String LOCK_OF = LOCK + " AND principal = ?";

  /// A line to be written.
  ///
  /// @param turn of a call, null for any other line
  record Row(String key, @Nullable Integer turn, String entry) {}

  /// Writes a line. Only the first result of a call is stored; a second one is not an error.
  Command append(String conversation, Row row) {
    return new Command.Append(
        ROWS,
        agent,
        conversation,
        row.turn == null,
        List.of(row.key, Missing.INTEGER.or(row.turn), row.entry, time.now().toEpochMilli()));
  }

  /// Locks the conversation for other writers until this is done; without effect if it has no row,
  /// another fencing token, or is another principal's.
  ///
  /// @param fence 0 if something is written without a lease
  /// @param principal whose it is; null for anyone's
  Command lock(String conversation, long fence, @Nullable String principal) {
    return new Command.Lock(
        principal == null ? LOCK : LOCK_OF,
        new Command.Token(agent, conversation, fence, principal));
  }

  /// Creates the row of a conversation that has none.
  Command begin(String conversation, String principal) {
    return new Command.Begin(
        "INSERT INTO conversation (agent, id, version, state, fence, created, principal)"
            + " VALUES (?, ?, 0, ?, 0, ?, ?) ON CONFLICT DO NOTHING",
        new Command.Token(agent, conversation, 0, principal),
        List.of(ROWS, EventTable.ROWS),
        List.of(agent, conversation, StoredForm.NEW, time.now().toEpochMilli(), principal));
  }
}
