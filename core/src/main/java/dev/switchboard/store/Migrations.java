package dev.switchboard.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/// The tables, as a list of numbered steps. A released step never changes; a new one goes to the
/// end.
final class Migrations {
  private static final List<List<String>> STEPS =
      List.of(
          List.of(
              """
              CREATE TABLE conversation (
                agent TEXT NOT NULL,
                id TEXT NOT NULL,
                version INTEGER NOT NULL,
                state TEXT NOT NULL,
                due INTEGER, -- when the first open request expires, in milliseconds since 1970
                PRIMARY KEY (agent, id))
              """,
              "CREATE INDEX conversation_due ON conversation (agent, due) WHERE due IS NOT NULL",
              """
              CREATE TABLE agent_state (
                agent TEXT NOT NULL PRIMARY KEY,
                version INTEGER NOT NULL,
                state TEXT NOT NULL)
              """,
              """
              CREATE TABLE settled_call (
                number INTEGER PRIMARY KEY, -- in the order they settled
                agent TEXT NOT NULL,
                conversation TEXT NOT NULL,
                call_id TEXT NOT NULL,
                turn INTEGER NOT NULL,
                tool TEXT NOT NULL,
                arguments TEXT NOT NULL,
                result TEXT NOT NULL,
                UNIQUE (agent, conversation, call_id))
              """,
              "CREATE INDEX settled_call_turn ON settled_call (agent, conversation, turn)"),
          List.of(
              """
              CREATE TABLE loop (
                agent TEXT NOT NULL,
                conversation TEXT NOT NULL,
                version INTEGER NOT NULL,
                state TEXT NOT NULL,
                PRIMARY KEY (agent, conversation))
              """,
              """
              CREATE TABLE line (
                number INTEGER PRIMARY KEY, -- in the order they were written
                agent TEXT NOT NULL,
                conversation TEXT NOT NULL,
                key TEXT NOT NULL,
                entry TEXT NOT NULL,
                UNIQUE (agent, conversation, key))
              """,
              "CREATE INDEX line_number ON line (agent, conversation, number)"),
          List.of(
              """
              CREATE TABLE memory_block (
                number INTEGER PRIMARY KEY, -- in the order they were made
                agent TEXT NOT NULL,
                label TEXT NOT NULL,
                kind TEXT NOT NULL,
                description TEXT NOT NULL,
                value TEXT NOT NULL,
                char_limit INTEGER NOT NULL,
                permission TEXT NOT NULL,
                pinned INTEGER NOT NULL,
                version INTEGER NOT NULL,
                edits INTEGER NOT NULL,
                UNIQUE (agent, label))
              """,
              """
              CREATE TABLE memory_edit (
                agent TEXT NOT NULL,
                label TEXT NOT NULL,
                number INTEGER NOT NULL,
                at INTEGER NOT NULL, -- in nanoseconds since 1970
                author TEXT NOT NULL,
                operation TEXT NOT NULL,
                earlier TEXT NOT NULL,
                later TEXT NOT NULL,
                PRIMARY KEY (agent, label, number))
              """,
              """
              CREATE TABLE memory_share (
                number INTEGER PRIMARY KEY, -- in the order they were made
                owner TEXT NOT NULL,
                label TEXT NOT NULL,
                agent TEXT NOT NULL,
                permission TEXT NOT NULL,
                UNIQUE (owner, label, agent))
              """,
              "CREATE INDEX memory_share_agent ON memory_share (agent)",
              """
              CREATE TABLE memory_scope (
                number INTEGER PRIMARY KEY,
                agent TEXT NOT NULL,
                domain TEXT NOT NULL,
                UNIQUE (agent, domain))
              """,
              """
              CREATE TABLE memory_entry (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                scope INTEGER NOT NULL,
                id TEXT NOT NULL,
                label TEXT NOT NULL,
                role TEXT,
                text TEXT NOT NULL,
                tags TEXT NOT NULL,
                at INTEGER NOT NULL, -- in nanoseconds since 1970
                UNIQUE (scope, id))
              """,
              "CREATE INDEX memory_entry_at ON memory_entry (scope, at)",
              "CREATE INDEX memory_entry_label ON memory_entry (scope, label)",
              """
              CREATE TABLE memory_tag (
                entry INTEGER NOT NULL,
                tag TEXT NOT NULL,
                PRIMARY KEY (entry, tag)) WITHOUT ROWID
              """,
              "CREATE INDEX memory_tag_tag ON memory_tag (tag, entry)",
              // Words are cut before they come here: they are parted by spaces alone.
              """
              CREATE VIRTUAL TABLE memory_words USING fts5(
                words, content='', contentless_delete=1, tokenize="ascii tokenchars '_+#$'")
              """),
          List.of(
              """
              CREATE TABLE memory_vector (
                entry INTEGER PRIMARY KEY,
                scope INTEGER NOT NULL,
                model TEXT NOT NULL,
                vector BLOB NOT NULL)
              """,
              "CREATE INDEX memory_vector_scope ON memory_vector (scope, model)"),
          List.of(
              "ALTER TABLE memory_edit ADD COLUMN key TEXT",
              "CREATE INDEX memory_edit_key ON memory_edit (agent, label, key)"
                  + " WHERE key IS NOT NULL",
              // In milliseconds since 1970.
              "ALTER TABLE line ADD COLUMN at INTEGER",
              "ALTER TABLE settled_call ADD COLUMN at INTEGER"),
          // A conversation has one state, and one table has its lines and its settled calls.
          List.of(
              "DROP INDEX conversation_due",
              "DROP INDEX line_number",
              "ALTER TABLE conversation RENAME TO old_conversation",
              "ALTER TABLE line RENAME TO old_line",
              """
              CREATE TABLE conversation (
                agent TEXT NOT NULL,
                id TEXT NOT NULL,
                version INTEGER NOT NULL, -- 0 where it has lines and no state so far
                state TEXT NOT NULL,
                due INTEGER, -- when somebody has to look after it, in milliseconds since 1970
                fence INTEGER NOT NULL, -- how often it was taken up by another process
                next INTEGER NOT NULL, -- the number of its next line
                PRIMARY KEY (agent, id))
              """,
              "CREATE INDEX conversation_due ON conversation (agent, due) WHERE due IS NOT NULL",
              """
              CREATE TABLE line (
                agent TEXT NOT NULL,
                conversation TEXT NOT NULL,
                number INTEGER NOT NULL, -- from 1 in each conversation, without gaps
                key TEXT NOT NULL,
                turn INTEGER, -- of a settled call
                entry TEXT NOT NULL,
                at INTEGER, -- in milliseconds since 1970
                PRIMARY KEY (agent, conversation, number),
                UNIQUE (agent, conversation, key))
              """,
              "CREATE INDEX line_turn ON line (agent, conversation, turn) WHERE turn IS NOT NULL",
              """
              INSERT INTO line
              SELECT agent, conversation,
                row_number() OVER (PARTITION BY agent, conversation ORDER BY kind, number),
                key, turn, entry, at
              FROM (
                SELECT 0 AS kind, number, agent, conversation, 'call/' || call_id AS key, turn, at,
                  json_object('v', 1, 'type', 'settled', 'id', call_id, 'tool', tool,
                    'arguments', arguments, 'result', json(result)) AS entry
                FROM settled_call
                UNION ALL
                SELECT 1, number, agent, conversation, key, NULL, at, entry FROM old_line) AS lines
              """,
              """
              INSERT INTO conversation
              SELECT known.agent, known.id, coalesce(one.version, 0) + coalesce(loop.version, 0),
                '{"v":1,"calls":' || coalesce(one.state, '{}') || ',"loop":'
                  || coalesce(loop.state, '{}') || '}',
                one.due, 0,
                1 + (SELECT count(*) FROM line
                  WHERE line.agent = known.agent AND line.conversation = known.id)
              FROM (SELECT agent, id FROM old_conversation
                UNION SELECT agent, conversation FROM loop
                UNION SELECT agent, conversation FROM line) AS known
              LEFT JOIN old_conversation AS one ON one.agent = known.agent AND one.id = known.id
              LEFT JOIN loop ON loop.agent = known.agent AND loop.conversation = known.id
              """,
              "DROP TABLE old_conversation",
              "DROP TABLE old_line",
              "DROP TABLE settled_call",
              "DROP TABLE loop"));

  private Migrations() {}

  /// Brings the file to the newest version; several processes may do so at a time.
  ///
  /// @return the version that it has, if it is a newer one than is known here, else 0
  static int apply(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (version(statement) == STEPS.size()) {
        return 0;
      }
      statement.execute("BEGIN IMMEDIATE");
      try {
        int newer = steps(statement);
        statement.execute("COMMIT");
        return newer;
      } catch (SQLException e) {
        statement.execute("ROLLBACK");
        throw e;
      }
    }
  }

  private static int steps(Statement statement) throws SQLException {
    int version = version(statement);
    if (version > STEPS.size()) {
      return version;
    }
    for (List<String> step : STEPS.subList(version, STEPS.size())) {
      for (String command : step) {
        statement.execute(command);
      }
    }
    statement.execute("PRAGMA user_version = " + STEPS.size());
    return 0;
  }

  private static int version(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery("PRAGMA user_version")) {
      return row.getInt(1);
    }
  }
}
