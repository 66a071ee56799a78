package dev.switchboard.store;

import dev.switchboard.execution.ConversationStore;
import dev.switchboard.memory.VectorStore;

/// A database that holds conversations and memory, open. Safe for use by several threads and
/// processes; what has been kept survives the death of the process.
public final class Storage implements AutoCloseable {
  private final Sql sql;

  Storage(Sql sql) {
    this.sql = sql;
  }

  /// The conversations of that agent, for as long as this is open.
  public ConversationStore conversations(String agent) {
    return new SqlStore(sql, agent, () -> {});
  }

  /// The memory of all agents, for as long as this is open.
  public VectorStore memory() {
    return new SqlMemory(sql);
  }

  @Override
  public void close() {
    sql.close();
  }
}
