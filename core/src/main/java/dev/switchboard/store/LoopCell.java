package dev.switchboard.store;

import dev.switchboard.execution.Cell;
import dev.switchboard.json.Json;
import java.util.List;

/// Where the loop's state of a conversation is kept.
record LoopCell(Sql sql, String agent, String conversation) implements Cell<Json> {
  @Override
  public Version<Json> load() {
    List<Version<Json>> kept =
        sql.query(
            "SELECT version, state FROM loop WHERE agent = ? AND conversation = ?",
            row -> new Version<>(row.number(1), Json.text(row.text(2))),
            agent,
            conversation);
    return kept.isEmpty() ? new Version<>(0, Json.EMPTY_OBJECT) : kept.getFirst();
  }

  @Override
  public boolean replace(Version<Json> expected, Json next) {
    return expected.number() == 0
        ? sql.change(
            "INSERT INTO loop (version, state, agent, conversation) VALUES (1, ?, ?, ?)"
                + " ON CONFLICT DO NOTHING",
            next.text(),
            agent,
            conversation)
        : sql.change(
            "UPDATE loop SET version = version + 1, state = ?"
                + " WHERE agent = ? AND conversation = ? AND version = ?",
            next.text(),
            agent,
            conversation,
            expected.number());
  }
}
