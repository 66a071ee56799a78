package dev.switchboard.store;

import dev.switchboard.text.MemoryOwner;
import java.sql.SQLException;
import java.util.List;

/// The numbers of the domains of owners, by which entries and their words are found.
record ScopeTable(Sql sql) {
  private static final String FIND =
      "SELECT number FROM memory_scope WHERE agent = ? AND domain = ?";
  private static final int TRIES = 10;

  /// The number of an owner's domain, which is created if needed, and stays until the transaction
  /// ends.
  ///
  /// @param lock the end of a query that keeps its rows, see [DatabaseSyntax#sharingLocked]
  static long number(SqlSession session, String owner, String domain, String lock)
      throws SQLException {
    for (int i = 0; i < TRIES; i++) {
      List<Long> known = session.query(FIND + lock, row -> row.number(1), owner, domain);
      if (!known.isEmpty()) {
        return known.getFirst();
      }
      // Another may create it, and remove it again, meanwhile.
      boolean unused =
          session.change(
              "INSERT INTO memory_scope (agent, domain) VALUES (?, ?) ON CONFLICT DO NOTHING",
              owner,
              domain);
    }
    throw new SQLException("the owner of an entry cannot be stored");
  }

  /// Removes an owner's domain that is empty, unless it is that of an agent.
  void prune(String owner, String domain) {
    if (owner.equals(MemoryOwner.agent(owner))) {
      return;
    }
    boolean unused =
        sql.together(session -> {
          // Waits for those that add to it, and what follows finds what they have added.
          boolean known =
              session.change(
                  "UPDATE memory_scope SET domain = domain WHERE agent = ? AND domain = ?",
                  owner,
                  domain);
          return known && removed(session, owner, domain);
        });
  }

  /// The last row stays without a name: SQLite would use its number again, by which a query that
  /// has begun would find another owner's entries.
  private static boolean removed(SqlSession session, String owner, String domain)
      throws SQLException {
    boolean empty =
        session.change(
            "UPDATE memory_scope SET agent = '', domain = CAST(number AS TEXT)"
                + " WHERE agent = ? AND domain = ? AND NOT EXISTS"
                + " (SELECT 1 FROM memory_entry WHERE scope = memory_scope.number)",
            owner,
            domain);
    if (empty) {
      boolean unused =
          session.change(
              "DELETE FROM memory_scope WHERE agent = ''"
                  + " AND number < (SELECT max(number) FROM memory_scope)");
    }
    return empty;
  }
}
