package dev.switchboard.store;

import dev.switchboard.memory.Block.Permission;
import dev.switchboard.memory.MemoryStore;
import java.util.List;

/// The shares of blocks.
record ShareTable(Sql sql) {
  List<MemoryStore.Share> with(String agent) {
    return where("agent = ?", agent);
  }

  List<MemoryStore.Share> by(String owner) {
    return where("owner = ?", owner);
  }

  private List<MemoryStore.Share> where(String condition, String name) {
    return sql.query(
        "SELECT owner, label, agent, permission FROM memory_share WHERE "
            + condition
            + " ORDER BY number",
        row ->
            new MemoryStore.Share(
                row.text(1), row.text(2), row.text(3), Permission.of(row.text(4))),
        name);
  }

  void put(MemoryStore.Share share) {
    boolean unused =
        sql.change(
            "INSERT INTO memory_share (owner, label, agent, permission) SELECT agent, label, ?, ?"
                + " FROM memory_block WHERE agent = ? AND label = ? ON CONFLICT (owner, label,"
                + " agent) DO UPDATE SET permission = excluded.permission",
            share.with(),
            share.permission().word(),
            share.owner(),
            share.label());
  }

  boolean remove(String owner, String label, String with) {
    return sql.change(
        "DELETE FROM memory_share WHERE owner = ? AND label = ? AND agent = ?", owner, label, with);
  }
}
