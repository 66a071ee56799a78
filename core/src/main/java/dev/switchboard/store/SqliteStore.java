package dev.switchboard.store;

import dev.switchboard.execution.ConversationStore;
import java.nio.file.Path;

/// Conversations of an agent in a SQLite file, which several agents may share.
public final class SqliteStore {
  private SqliteStore() {}

  /// The store in that file, which is made where there is none, and in it what belongs to that
  /// agent. Safe for use by several threads and processes; what a method has kept survives the
  /// death of the process.
  ///
  /// @throws StoreException when the file cannot be opened, or a newer version wrote it
  public static ConversationStore open(Path file, String agent) {
    Database database = Database.open(file);
    return new SqlStore(database, agent, database::close);
  }
}
