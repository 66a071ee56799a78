package dev.switchboard.store;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The row of a SQLite file that names its server, by the process and when that began.
///
/// @param sql the file
record ServerRow(Sql sql) {
  // No agent has a name with a control character.
  private static final String NAME = "\u001fserver";

  /// The server that the row names, if its process lives; null for none.
  @Nullable String holder() {
    List<String> rows =
        sql.query("SELECT state FROM agent_state WHERE agent = ?", row -> row.text(1), NAME);
    String[] parts = rows.isEmpty() ? new String[0] : rows.getFirst().split(" ", 3);
    long start = parts.length == 3 ? number(parts[1]) : -1;
    return start >= 0 && began(number(parts[0])) == start ? parts[2] : null;
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /// When that process began; -1 if it does not run, or the system does not say.
  private static long began(long process) {
    return ProcessHandle.of(process)
        .filter(ProcessHandle::isAlive)
        .flatMap(handle -> handle.info().startInstant())
        .map(Instant::toEpochMilli)
        .orElse(-1L);
  }

  /// Names this process.
  void write(String holder) {
    long process = ProcessHandle.current().pid();
    boolean unused =
        sql.change(
            "INSERT INTO agent_state (version, state, agent) VALUES (1, ?, ?)"
                + " ON CONFLICT (agent) DO UPDATE SET state = excluded.state",
            process + " " + began(process) + " " + holder,
            NAME);
  }

  void remove() {
    boolean unused = sql.change("DELETE FROM agent_state WHERE agent = ?", NAME);
  }
}
