package dev.switchboard.store;

import static dev.switchboard.store.TableCommand.all;
import static dev.switchboard.store.TableCommand.sqlite;

import java.util.List;

/// The tables of both databases, as one list of numbered migration steps. A released step never
/// changes; new ones are appended.
final class Tables {
  private static final List<List<TableCommand>> STEPS =
      List.of(
          List.of(
              all(
                  """
                  CREATE TABLE conversation (
                    agent TEXT NOT NULL,
                    id TEXT NOT NULL,
                    version {number} NOT NULL,
                    state TEXT NOT NULL,
                    due {number}, -- when the first open request expires, in milliseconds since 1970
                    PRIMARY KEY (agent, id))
                  """),
              all(
                  "CREATE INDEX conversation_due ON conversation (agent, due) WHERE due IS "
                      + "NOT NULL"),
              all(
                  """
                  CREATE TABLE agent_state (
                    agent TEXT NOT NULL PRIMARY KEY,
                    version {number} NOT NULL,
                    state TEXT NOT NULL)
                  """),
              all(
                  """
                  CREATE TABLE settled_call (
                    number {identity}, -- in the order they settled
                    agent TEXT NOT NULL,
                    conversation TEXT NOT NULL,
                    call_id TEXT NOT NULL,
                    turn INTEGER NOT NULL,
                    tool TEXT NOT NULL,
                    arguments TEXT NOT NULL,
                    result TEXT NOT NULL,
                    UNIQUE (agent, conversation, call_id))
                  """),
              all("CREATE INDEX settled_call_turn ON settled_call (agent, conversation, turn)")),
          List.of(
              all(
                  """
                  CREATE TABLE loop (
                    agent TEXT NOT NULL,
                    conversation TEXT NOT NULL,
                    version {number} NOT NULL,
                    state TEXT NOT NULL,
                    PRIMARY KEY (agent, conversation))
                  """),
              all(
                  """
                  CREATE TABLE line (
                    number {identity}, -- in the order they were written
                    agent TEXT NOT NULL,
                    conversation TEXT NOT NULL,
                    key TEXT NOT NULL,
                    entry TEXT NOT NULL,
                    UNIQUE (agent, conversation, key))
                  """),
              all("CREATE INDEX line_number ON line (agent, conversation, number)")),
          MemoryTables.ENTRIES,
          MemoryTables.VECTORS,
          List.of(
              all("ALTER TABLE memory_edit ADD COLUMN key TEXT"),
              all(
                  "CREATE INDEX memory_edit_key ON memory_edit (agent, label, key) WHERE key "
                      + "IS NOT NULL"),
              // In milliseconds since 1970.
              all("ALTER TABLE line ADD COLUMN at {number}"),
              all("ALTER TABLE settled_call ADD COLUMN at {number}")),
          // A conversation has one state, and one table has its lines and its settled calls.
          List.of(
              all("DROP INDEX conversation_due"),
              all("DROP INDEX line_number"),
              all("ALTER TABLE conversation RENAME TO old_conversation"),
              all("ALTER TABLE line RENAME TO old_line"),
              all(
                  """
                  CREATE TABLE conversation (
                    agent TEXT NOT NULL,
                    id TEXT NOT NULL,
                    version {number} NOT NULL, -- 0 where it has lines and no state so far
                    state TEXT NOT NULL,
                    due {number}, -- when somebody has to look after it, in milliseconds since 1970
                    fence {number} NOT NULL, -- how often it was taken up by another process
                    next {number} NOT NULL, -- the number of its next line
                    PRIMARY KEY (agent, id))
                  """),
              all(
                  "CREATE INDEX conversation_due ON conversation (agent, due) WHERE due IS "
                      + "NOT NULL"),
              all(
                  """
                  CREATE TABLE line (
                    agent TEXT NOT NULL,
                    conversation TEXT NOT NULL,
                    number {number} NOT NULL, -- from 1 in each conversation, without gaps
                    key TEXT NOT NULL,
                    turn INTEGER, -- of a settled call
                    entry TEXT NOT NULL,
                    at {number}, -- in milliseconds since 1970
                    PRIMARY KEY (agent, conversation, number),
                    UNIQUE (agent, conversation, key))
                  """),
              all(
                  "CREATE INDEX line_turn ON line (agent, conversation, turn) WHERE turn IS "
                      + "NOT NULL"),
              all(
                  """
                  INSERT INTO line
                  SELECT agent, conversation,
                    row_number() OVER (PARTITION BY agent, conversation ORDER BY kind, number),
                    key, turn, entry, at
                  FROM (
                    SELECT 0 AS kind, number, agent, conversation, 'call/' || call_id AS key, turn, at,
                      {settled} AS entry
                    FROM settled_call
                    UNION ALL
                    SELECT 1, number, agent, conversation, key, NULL, at, entry FROM old_line) AS lines
                  """),
              all(
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
                  """),
              all("DROP TABLE old_conversation"),
              all("DROP TABLE old_line"),
              all("DROP TABLE settled_call"),
              all("DROP TABLE loop")),
          // Events stand among the lines, with numbers of their own.
          List.of(
              all("ALTER TABLE conversation ADD COLUMN events {number} NOT NULL DEFAULT 0"),
              all("ALTER TABLE line ADD COLUMN event {number}"), // from 1, without gaps
              all("ALTER TABLE line ADD COLUMN run TEXT"),
              all(
                  "CREATE UNIQUE INDEX line_event ON line (agent, conversation, event) WHERE "
                      + "event IS NOT NULL"),
              all(
                  "CREATE INDEX line_transcript ON line (agent, conversation, number) WHERE "
                      + "turn IS NULL AND event IS NULL")),
          // Whose a conversation is.
          List.of(
              all("ALTER TABLE conversation ADD COLUMN created {number}"), // in milliseconds
              all("ALTER TABLE conversation ADD COLUMN principal TEXT"),
              all("ALTER TABLE conversation ADD COLUMN tenant TEXT"),
              all("ALTER TABLE conversation ADD COLUMN agent_version TEXT"),
              all("ALTER TABLE conversation ADD COLUMN metadata TEXT"),
              all(
                  """
                  UPDATE conversation SET created = (
                    SELECT CASE WHEN count(*) = count(at) THEN min(at) END FROM line
                    WHERE line.agent = conversation.agent AND line.conversation = conversation.id)
                  """),
              all("CREATE INDEX conversation_created ON conversation (agent, created, id)")),
          // Events have a table of their own, and the rows of a conversation stand together.
          List.of(
              all(
                  """
                  CREATE TABLE event (
                    agent TEXT NOT NULL,
                    conversation TEXT NOT NULL,
                    number {number} NOT NULL, -- from 1 in each conversation, without gaps
                    key TEXT,
                    run TEXT,
                    at {number} NOT NULL, -- in milliseconds since 1970
                    event TEXT NOT NULL,
                    PRIMARY KEY (agent, conversation, number)){clustered}
                  """),
              all(
                  """
                  INSERT INTO event
                  SELECT agent, conversation, event,
                    CASE WHEN key LIKE 'event/#%' THEN NULL ELSE substr(key, 7) END, run, at, entry
                  FROM line WHERE event IS NOT NULL ORDER BY agent, conversation, event
                  """),
              all(
                  "CREATE UNIQUE INDEX event_key ON event (agent, conversation, key) WHERE key IS "
                      + "NOT NULL"),
              all("DROP INDEX line_event"),
              all("DROP INDEX line_transcript"),
              all("DROP INDEX line_turn"),
              all("ALTER TABLE line RENAME TO old_line"),
              all(
                  """
                  CREATE TABLE line (
                    agent TEXT NOT NULL,
                    conversation TEXT NOT NULL,
                    number {number} NOT NULL, -- in the order they were written
                    key TEXT NOT NULL,
                    turn INTEGER, -- of a settled call
                    entry TEXT NOT NULL,
                    at {number}, -- in milliseconds since 1970
                    PRIMARY KEY (agent, conversation, number),
                    UNIQUE (agent, conversation, key)){clustered}
                  """),
              all(
                  """
                  INSERT INTO line
                  SELECT agent, conversation, number, key, turn, entry, at
                  FROM old_line WHERE event IS NULL ORDER BY agent, conversation, number
                  """),
              all(
                  "CREATE INDEX line_turn ON line (agent, conversation, turn) WHERE turn IS "
                      + "NOT NULL"),
              all("DROP TABLE old_line"),
              all("ALTER TABLE conversation DROP COLUMN next"),
              all("ALTER TABLE conversation DROP COLUMN events")),
          // Words come from one process at a time, which looks for the last of them itself: in the
          // index they would be written a second time.
          List.of(
              sqlite("DROP INDEX event_key"),
              sqlite(
                  "CREATE UNIQUE INDEX event_key ON event (agent, conversation, key) WHERE "
                      + EventTable.INDEXED)),
          List.of(
              all(
                  """
                  CREATE TABLE input (
                    agent TEXT NOT NULL,
                    conversation TEXT NOT NULL,
                    number {number} NOT NULL, -- in the order they were kept
                    id TEXT NOT NULL,
                    entry TEXT NOT NULL,
                    PRIMARY KEY (agent, conversation, number),
                    UNIQUE (agent, conversation, id)){clustered}
                  """),
              // Whether a process has it, and whether the end of its turn was asked for.
              all("ALTER TABLE conversation ADD COLUMN held INTEGER NOT NULL DEFAULT 0"),
              all("ALTER TABLE conversation ADD COLUMN cancelled INTEGER NOT NULL DEFAULT 0")),
          // Pages are in the order of this moment, which the lines of an old file state.
          List.of(
              sqlite(
                  """
                  UPDATE conversation SET created = (
                    SELECT CAST(
                      round(min(unixepoch(json_extract(entry, '$.at'), 'subsec')) * 1000) AS INTEGER)
                    FROM line
                    WHERE line.agent = conversation.agent AND line.conversation = conversation.id
                      AND turn IS NULL AND json_valid(entry))
                  WHERE created IS NULL
                  """)),
          // Every conversation has an owner; see OwnershipMigration for what was said in it.
          List.of(
              all(
                  """
                  UPDATE conversation SET principal =
                    CASE WHEN metadata LIKE '{"phone":%' THEN 'call:' || id ELSE 'local' END
                  WHERE principal IS NULL
                  """)),
          // Words of earlier deletions leave the index.
          List.of(sqlite("INSERT INTO memory_words (memory_words) VALUES ('optimize')")),
          List.of(
              all(
                  """
                  CREATE TABLE IF NOT EXISTS client_key (
                    agent TEXT NOT NULL,
                    principal TEXT NOT NULL,
                    key TEXT NOT NULL,
                    conversation TEXT NOT NULL, -- which the key stands for
                    created {number} NOT NULL, -- in milliseconds since 1970
                    PRIMARY KEY (agent, principal, key)){clustered}
                  """),
              all("CREATE INDEX IF NOT EXISTS client_key_created ON client_key (created)")),
          // Lists are read by the page; the order of ids is that of their characters.
          List.of(
              all("UPDATE conversation SET created = 0 WHERE created IS NULL"),
              all("DROP INDEX IF EXISTS conversation_created"),
              all("DROP INDEX IF EXISTS conversation_principal"),
              all("CREATE INDEX conversation_created ON conversation (agent, created, {exact:id})"),
              all(
                  "CREATE INDEX conversation_principal ON conversation (agent, principal, created,"
                      + " {exact:id})"),
              all("DROP TABLE IF EXISTS request"),
              all(
                  """
                  CREATE TABLE request (
                    agent TEXT NOT NULL,
                    conversation TEXT NOT NULL,
                    id TEXT NOT NULL,
                    name {exact:TEXT} NOT NULL, -- the id with that of the conversation
                    principal TEXT NOT NULL, -- whose the conversation is
                    created {number} NOT NULL, -- when the conversation was
                    expires {number} NOT NULL, -- in milliseconds since 1970
                    PRIMARY KEY (agent, conversation, id)){clustered}
                  """),
              all("CREATE INDEX request_expires ON request (agent, expires, name)"),
              all("CREATE INDEX request_principal ON request (agent, principal, expires, name)"),
              all(
                  "CREATE INDEX request_created ON request (agent, created,"
                      + " {exact:conversation})")));

  /// The number of steps after which conversations have owners.
  static final int OWNED = STEPS.size() - 3;

  /// The number of steps after which open requests have a table.
  static final int LISTED = STEPS.size();

  private Tables() {}

  /// The commands of each step.
  static List<List<String>> steps(DatabaseSyntax database) {
    return STEPS.stream()
        .map(step ->
            step.stream()
                .filter(command -> command.isFor(database))
                .map(command -> database.written(command.text()))
                .toList())
        .toList();
  }
}
