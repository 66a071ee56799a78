package dev.switchboard.store;

import dev.switchboard.execution.Cell;
import dev.switchboard.json.Json;
import java.util.List;

/// Where the loop's state of a conversation is kept.
record LoopCell(Database database, String agent, String conversation) implements Cell<Json> {
  @Override
  public Version<Json> load() {
    List<Version<Json>> kept =
        database.query(
            "SELECT version, state FROM loop WHERE agent = ? AND conversation = ?",
            row -> new Version<>(row.getLong(1), Json.text(row.getString(2))),
            agent,
            conversation);
    return kept.isEmpty() ? new Version<>(0, Json.EMPTY_OBJECT) : kept.getFirst();
  }

  @Override
  public boolean replace(Version<Json> expected, Json next) {
    return expected.number() == 0
        ? database.change(
            "INSERT OR IGNORE INTO loop (version, state, agent, conversation) VALUES (1, ?, ?, ?)",
            next.text(),
            agent,
            conversation)
        : database.change(
            "UPDATE loop SET version = version + 1, state = ?"
                + " WHERE agent = ? AND conversation = ? AND version = ?",
            next.text(),
            agent,
            conversation,
            expected.number());
  }
}
