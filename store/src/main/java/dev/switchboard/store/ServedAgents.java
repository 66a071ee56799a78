package dev.switchboard.store;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

/// When processes that share a database last served its agents, by the database's clock.
///
/// @param sql the database
record ServedAgents(Sql sql) {
  // No agent has a name with a control character.
  private static final String PREFIX = "\u001fserved:";

  void add(Collection<String> agents) {
    for (String agent : agents) {
      boolean unused =
          sql.change(
              "INSERT INTO agent_state (version, state, agent) VALUES (1, CAST(%s AS TEXT), ?)"
                      .formatted(sql.syntax().now())
                  + " ON CONFLICT (agent) DO UPDATE SET state = excluded.state",
              PREFIX + agent);
    }
  }

  List<String> within(Duration time) {
    return sql
        .query(
            "SELECT agent FROM agent_state WHERE substr(agent, 1, %d) = ?"
                    .formatted(PREFIX.length())
                + " AND CAST(state AS BIGINT) > "
                + sql.syntax().now()
                + " - ?",
            row -> row.text(1).substring(PREFIX.length()),
            PREFIX,
            time.toMillis())
        .stream()
        .sorted()
        .toList();
  }
}
