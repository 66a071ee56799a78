package dev.switchboard.store;

import dev.switchboard.memory.Entry;
import dev.switchboard.text.MemoryOwner;
import dev.switchboard.text.PrincipalName;
import dev.switchboard.text.Words;
import java.sql.SQLException;
import java.util.List;

/// Gives what was said in conversations to the conversations' owners, once, in a store in which it
/// belonged to the agent. It is indexed again, since each owner's words are found by themselves.
///
/// @param session of the migration
record OwnershipMigration(SqlSession session, WordIndex words) {
  private static final int PAGE = 500;
  private static final String NEXT =
      "SELECT e.number, e.text, c.agent, c.principal FROM memory_entry e"
          + " JOIN memory_scope s ON s.number = e.scope AND s.domain = ?"
          + " JOIN conversation c ON c.agent = s.agent AND c.id = e.label"
          + " WHERE c.principal <> ? AND e.number > ? ORDER BY e.number LIMIT "
          + PAGE;

  private record Said(long number, String text, String agent, String principal) {}

  /// Moves all of it.
  void move() throws SQLException {
    List<Said> page = next(0);
    while (!page.isEmpty()) {
      for (Said said : page) {
        move(said);
      }
      page = next(page.getLast().number);
    }
  }

  private List<Said> next(long after) throws SQLException {
    return session.query(
        NEXT,
        row -> new Said(row.number(1), row.text(2), row.text(3), row.text(4)),
        Entry.CONVERSATIONS,
        PrincipalName.LOCAL,
        after);
  }

  private void move(Said said) throws SQLException {
    String owner = MemoryOwner.of(said.agent, said.principal);
    long scope = ScopeTable.number(session, owner, Entry.CONVERSATIONS, "");
    boolean unused =
        session.change("UPDATE memory_entry SET scope = ? WHERE number = ?", scope, said.number);
    unused =
        session.change("UPDATE memory_vector SET scope = ? WHERE entry = ?", scope, said.number);
    words.remove(session, said.number);
    words.add(session, List.of(new WordIndex.Indexed(said.number, scope, Words.of(said.text))));
  }
}
