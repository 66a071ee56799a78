package dev.switchboard.store;

import static dev.switchboard.store.TableCommand.all;
import static dev.switchboard.store.TableCommand.postgresql;
import static dev.switchboard.store.TableCommand.sqlite;

import java.util.List;

/// The migration steps that create the tables of memories.
final class MemoryTables {
  /// Blocks with their edits and shares, and entries with their tags and words.
  static final List<TableCommand> ENTRIES =
      List.of(
          all(
              """
              CREATE TABLE memory_block (
                number {identity}, -- in the order they were made
                agent TEXT NOT NULL,
                label TEXT NOT NULL,
                kind TEXT NOT NULL,
                description TEXT NOT NULL,
                value TEXT NOT NULL,
                char_limit INTEGER NOT NULL,
                permission TEXT NOT NULL,
                pinned INTEGER NOT NULL,
                version {number} NOT NULL,
                edits INTEGER NOT NULL,
                UNIQUE (agent, label))
              """),
          all(
              """
              CREATE TABLE memory_edit (
                agent TEXT NOT NULL,
                label TEXT NOT NULL,
                number INTEGER NOT NULL,
                at {number} NOT NULL, -- in nanoseconds since 1970
                author TEXT NOT NULL,
                operation TEXT NOT NULL,
                earlier TEXT NOT NULL,
                later TEXT NOT NULL,
                PRIMARY KEY (agent, label, number))
              """),
          sqlite(
              """
              CREATE TABLE memory_share (
                number INTEGER PRIMARY KEY, -- in the order they were made
                owner TEXT NOT NULL,
                label TEXT NOT NULL,
                agent TEXT NOT NULL,
                permission TEXT NOT NULL,
                UNIQUE (owner, label, agent))
              """),
          postgresql(
              """
              CREATE TABLE memory_share (
                number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- in their order
                owner TEXT NOT NULL,
                label TEXT NOT NULL,
                agent TEXT NOT NULL,
                permission TEXT NOT NULL,
                UNIQUE (owner, label, agent),
                FOREIGN KEY (owner, label) REFERENCES memory_block (agent, label) ON DELETE CASCADE)
              """),
          all("CREATE INDEX memory_share_agent ON memory_share (agent)"),
          all(
              """
              CREATE TABLE memory_scope (
                number {identity},
                agent TEXT NOT NULL,
                domain TEXT NOT NULL,
                UNIQUE (agent, domain))
              """),
          all(
              """
              CREATE TABLE memory_entry (
                number {identity!},
                scope {number} NOT NULL,
                id TEXT NOT NULL,
                label TEXT NOT NULL,
                role TEXT,
                text TEXT NOT NULL,
                tags TEXT NOT NULL,
                at {number} NOT NULL, -- in nanoseconds since 1970
                UNIQUE (scope, id))
              """),
          sqlite("CREATE INDEX memory_entry_at ON memory_entry (scope, at)"),
          postgresql("CREATE INDEX memory_entry_at ON memory_entry (scope, at, number)"),
          sqlite("CREATE INDEX memory_entry_label ON memory_entry (scope, label)"),
          postgresql(
              "CREATE INDEX memory_entry_label ON memory_entry (scope, substr(label, 1, "
                  + "200), at, number)"),
          sqlite(
              """
              CREATE TABLE memory_tag (
                entry INTEGER NOT NULL,
                tag TEXT NOT NULL,
                PRIMARY KEY (entry, tag)) WITHOUT ROWID
              """),
          postgresql("CREATE TABLE memory_tag (entry BIGINT NOT NULL, tag TEXT NOT NULL)"),
          postgresql("CREATE INDEX memory_tag_entry ON memory_tag (entry)"),
          sqlite("CREATE INDEX memory_tag_tag ON memory_tag (tag, entry)"),
          postgresql("CREATE INDEX memory_tag_tag ON memory_tag (substr(tag, 1, 200), entry)"),
          // Words are cut before they come here: they are parted by spaces alone.
          sqlite(
              """
              CREATE VIRTUAL TABLE memory_words USING fts5(
                words, content='', contentless_delete=1, tokenize="ascii tokenchars '_+#$'")
              """),
          postgresql(
              "CREATE TABLE memory_words (number BIGINT PRIMARY KEY, words TSVECTOR NOT NULL)"),
          postgresql(
              "CREATE INDEX memory_words_words ON memory_words USING gin (words) WITH "
                  + "(fastupdate = off)"));

  /// The vectors of entries, for semantic search.
  static final List<TableCommand> VECTORS =
      List.of(
          sqlite(
              """
              CREATE TABLE memory_vector (
                entry INTEGER PRIMARY KEY,
                scope INTEGER NOT NULL,
                model TEXT NOT NULL,
                vector BLOB NOT NULL)
              """),
          postgresql(
              """
              CREATE TABLE memory_vector (
                entry BIGINT PRIMARY KEY REFERENCES memory_entry ON DELETE CASCADE,
                scope BIGINT NOT NULL,
                model TEXT NOT NULL,
                vector BYTEA NOT NULL)
              """),
          sqlite("CREATE INDEX memory_vector_scope ON memory_vector (scope, model)"),
          postgresql("CREATE INDEX memory_vector_scope ON memory_vector (scope, model, entry)"));

  private MemoryTables() {}
}
