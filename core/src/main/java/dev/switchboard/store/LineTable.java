package dev.switchboard.store;

import dev.switchboard.time.Time;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The lines of an agent's conversations, including settled calls, numbered in each conversation in
/// the order they were written.
record LineTable(String agent) {
  /// The prefix of the keys of settled calls.
  static final String CALL = "call/";

  static final Command.Rows ROWS = Command.Rows.of("line", "key", "turn", "entry", "at");
  private static final String LOCK =
      "SELECT fence FROM conversation WHERE agent = ? AND id = ?"
          + " AND fence = CASE WHEN ? = 0 THEN fence ELSE ? END";

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
        List.of(
            row.key, Missing.INTEGER.or(row.turn), row.entry, Time.SYSTEM.now().toEpochMilli()));
  }

  /// Locks the conversation for other writers until this is done; without effect if it has no row,
  /// or another fencing token.
  ///
  /// @param fence 0 if something is written without a lease
  Command lock(String conversation, long fence) {
    return new Command.Lock(LOCK, new Command.Token(agent, conversation, fence));
  }

  /// Creates the row of a conversation that has none.
  Command begin(String conversation) {
    return new Command.Begin(
        "INSERT INTO conversation (agent, id, version, state, fence, created)"
            + " VALUES (?, ?, 0, ?, 0, ?) ON CONFLICT DO NOTHING",
        agent,
        conversation,
        List.of(ROWS, EventTable.ROWS),
        List.of(agent, conversation, StoredForm.NEW, Time.SYSTEM.now().toEpochMilli()));
  }
}
