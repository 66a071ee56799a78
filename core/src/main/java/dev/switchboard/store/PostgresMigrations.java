package dev.switchboard.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/// The tables in PostgreSQL, as a list of numbered steps. A released step never changes; a new one
/// goes to the end.
final class PostgresMigrations {
  /// Guards the steps against other processes: any number that nobody else takes.
  private static final long LOCK = 0x73776974_63686264L;

  private static final List<List<String>> STEPS =
      List.of(
          List.of(
              """
              CREATE TABLE conversation (
                agent TEXT NOT NULL,
                id TEXT NOT NULL,
                version BIGINT NOT NULL,
                state TEXT NOT NULL,
                due BIGINT, -- when the first open request expires, in milliseconds since 1970
                PRIMARY KEY (agent, id))
              """,
              "CREATE INDEX conversation_due ON conversation (agent, due) WHERE due IS NOT NULL",
              """
              CREATE TABLE agent_state (
                agent TEXT NOT NULL PRIMARY KEY,
                version BIGINT NOT NULL,
                state TEXT NOT NULL)
              """,
              """
              CREATE TABLE settled_call (
                number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- in the order they settled
                agent TEXT NOT NULL,
                conversation TEXT NOT NULL,
                call_id TEXT NOT NULL,
                turn INTEGER NOT NULL,
                tool TEXT NOT NULL,
                arguments TEXT NOT NULL,
                result TEXT NOT NULL,
                UNIQUE (agent, conversation, call_id))
              """,
              "CREATE INDEX settled_call_turn ON settled_call (agent, conversation, turn)",
              """
              CREATE TABLE loop (
                agent TEXT NOT NULL,
                conversation TEXT NOT NULL,
                version BIGINT NOT NULL,
                state TEXT NOT NULL,
                PRIMARY KEY (agent, conversation))
              """,
              """
              CREATE TABLE line (
                number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- in their order
                agent TEXT NOT NULL,
                conversation TEXT NOT NULL,
                key TEXT NOT NULL,
                entry TEXT NOT NULL,
                UNIQUE (agent, conversation, key))
              """,
              "CREATE INDEX line_number ON line (agent, conversation, number)",
              """
              CREATE TABLE memory_block (
                number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- in their order
                agent TEXT NOT NULL,
                label TEXT NOT NULL,
                kind TEXT NOT NULL,
                description TEXT NOT NULL,
                value TEXT NOT NULL,
                char_limit INTEGER NOT NULL,
                permission TEXT NOT NULL,
                pinned INTEGER NOT NULL,
                version BIGINT NOT NULL,
                edits INTEGER NOT NULL,
                UNIQUE (agent, label))
              """,
              """
              CREATE TABLE memory_edit (
                agent TEXT NOT NULL,
                label TEXT NOT NULL,
                number INTEGER NOT NULL,
                at BIGINT NOT NULL, -- in nanoseconds since 1970
                author TEXT NOT NULL,
                operation TEXT NOT NULL,
                earlier TEXT NOT NULL,
                later TEXT NOT NULL,
                PRIMARY KEY (agent, label, number))
              """,
              """
              CREATE TABLE memory_share (
                number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- in their order
                owner TEXT NOT NULL,
                label TEXT NOT NULL,
                agent TEXT NOT NULL,
                permission TEXT NOT NULL,
                UNIQUE (owner, label, agent),
                FOREIGN KEY (owner, label) REFERENCES memory_block (agent, label) ON DELETE CASCADE)
              """,
              "CREATE INDEX memory_share_agent ON memory_share (agent)",
              """
              CREATE TABLE memory_scope (
                number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                agent TEXT NOT NULL,
                domain TEXT NOT NULL,
                UNIQUE (agent, domain))
              """,
              """
              CREATE TABLE memory_entry (
                number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                scope BIGINT NOT NULL,
                id TEXT NOT NULL,
                label TEXT NOT NULL,
                role TEXT,
                text TEXT NOT NULL,
                tags TEXT NOT NULL,
                at BIGINT NOT NULL, -- in nanoseconds since 1970
                UNIQUE (scope, id))
              """,
              "CREATE INDEX memory_entry_at ON memory_entry (scope, at, number)",
              // Labels and tags may be longer than an index takes, and a hash would be slow where
              // many have the same.
              "CREATE INDEX memory_entry_label ON memory_entry"
                  + " (scope, substr(label, 1, 200), at, number)",
              "CREATE TABLE memory_tag (entry BIGINT NOT NULL, tag TEXT NOT NULL)",
              "CREATE INDEX memory_tag_entry ON memory_tag (entry)",
              "CREATE INDEX memory_tag_tag ON memory_tag (substr(tag, 1, 200), entry)",
              "CREATE TABLE memory_words (number BIGINT PRIMARY KEY, words TSVECTOR NOT NULL)",
              "CREATE INDEX memory_words_words ON memory_words USING gin (words)"
                  + " WITH (fastupdate = off)"),
          List.of(
              """
              CREATE TABLE memory_vector (
                entry BIGINT PRIMARY KEY REFERENCES memory_entry ON DELETE CASCADE,
                scope BIGINT NOT NULL,
                model TEXT NOT NULL,
                vector BYTEA NOT NULL)
              """,
              "CREATE INDEX memory_vector_scope ON memory_vector (scope, model, entry)"),
          List.of(
              "ALTER TABLE memory_edit ADD COLUMN key TEXT",
              "CREATE INDEX memory_edit_key ON memory_edit (agent, label, key)"
                  + " WHERE key IS NOT NULL",
              // In milliseconds since 1970.
              "ALTER TABLE line ADD COLUMN at BIGINT",
              "ALTER TABLE settled_call ADD COLUMN at BIGINT"),
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
                version BIGINT NOT NULL, -- 0 where it has lines and no state so far
                state TEXT NOT NULL,
                due BIGINT, -- when somebody has to look after it, in milliseconds since 1970
                fence BIGINT NOT NULL, -- how often it was taken up by another process
                next BIGINT NOT NULL, -- the number of its next line
                PRIMARY KEY (agent, id))
              """,
              "CREATE INDEX conversation_due ON conversation (agent, due) WHERE due IS NOT NULL",
              """
              CREATE TABLE line (
                agent TEXT NOT NULL,
                conversation TEXT NOT NULL,
                number BIGINT NOT NULL, -- from 1 in each conversation, without gaps
                key TEXT NOT NULL,
                turn INTEGER, -- of a settled call
                entry TEXT NOT NULL,
                at BIGINT, -- in milliseconds since 1970
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
                  '{"v":1,"type":"settled","id":' || replace(to_json(call_id)::text, chr(57344) || '0', '\\u0000')
                    || ',"tool":' || replace(to_json(tool)::text, chr(57344) || '0', '\\u0000')
                    || ',"arguments":' || replace(to_json(arguments)::text, chr(57344) || '0', '\\u0000')
                    || ',"result":' || result || '}' AS entry
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

  private PostgresMigrations() {}

  /// Brings the tables to the newest version; several processes may do so at a time.
  ///
  /// @return the version that they have, if it is a newer one than is known here, else 0
  static int apply(Connection connection) throws SQLException {
    return alone(connection, PostgresMigrations::steps);
  }

  /// What is done to the tables.
  interface Change<T> {
    T by(Statement statement) throws SQLException;
  }

  /// Makes a change to the tables, all or nothing, while no other process makes one.
  static <T> T alone(Connection connection, Change<T> change) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      boolean unused = statement.execute("SELECT pg_advisory_xact_lock(" + LOCK + ")");
      T result = change.by(statement);
      connection.commit();
      return result;
    } catch (SQLException e) {
      connection.rollback();
      throw e;
    } finally {
      connection.setAutoCommit(true);
    }
  }

  private static int steps(Statement statement) throws SQLException {
    boolean unused =
        statement.execute(
            "CREATE TABLE IF NOT EXISTS switchboard_version (version INTEGER NOT NULL)");
    int version = version(statement);
    if (version >= STEPS.size()) {
      return version > STEPS.size() ? version : 0;
    }
    for (List<String> step : STEPS.subList(version, STEPS.size())) {
      for (String command : step) {
        unused = statement.execute(command);
      }
    }
    unused = statement.execute("DELETE FROM switchboard_version");
    unused = statement.execute("INSERT INTO switchboard_version VALUES (" + STEPS.size() + ")");
    return 0;
  }

  private static int version(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery("SELECT max(version) FROM switchboard_version")) {
      return row.next() ? row.getInt(1) : 0;
    }
  }
}
