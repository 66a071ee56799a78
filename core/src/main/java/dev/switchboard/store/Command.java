package dev.switchboard.store;

import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// A command of several that are done together in one trip to the database, or not at all. No part
/// of it depends on what the one before it finds.
sealed interface Command {
  /// Whether none of them are kept where this one finds or changes no row.
  boolean isNeeded();

  /// A query of one number, whose row no other transaction changes until this one ends.
  record Lock(String text, List<Object> values) implements Command {
    @Override
    public boolean isNeeded() {
      return true;
    }
  }

  /// A query, whose rows are read there.
  record Read(String text, Sql.Row<?> reader, List<Object> values) implements Command {
    @Override
    public boolean isNeeded() {
      return false;
    }
  }

  /// A change of rows.
  ///
  /// @param telling the number that it tells of its row, null for none
  record Change(String text, @Nullable String telling, boolean isNeeded, List<Object> values)
      implements Command {
    /// This one, which tells that number of the row it changes.
    Change telling(String number) {
      return new Change(text, number, isNeeded, values);
    }

    /// This one, without whose row none are kept.
    Change orNone() {
      return new Change(text, telling, true, values);
    }
  }

  /// A row behind those that the table has of the conversation, from which other writers are kept
  /// away: its number, which it tells, is the next. There is none where one of its key is there.
  ///
  /// @param columns beside the agent, the conversation and the number
  record Append(
      String table,
      String agent,
      String conversation,
      List<String> columns,
      boolean isNeeded,
      List<Object> values)
      implements Command {
    /// Whether it and that one can be one command.
    boolean isLike(Append other) {
      return table.equals(other.table)
          && agent.equals(other.agent)
          && conversation.equals(other.conversation);
    }
  }

  static Change change(String text, Object... values) {
    return new Change(text, null, false, List.of(values));
  }

  static Lock lock(String text, Object... values) {
    return new Lock(text, List.of(values));
  }

  /// What commands came to.
  ///
  /// @param missing the place of the one that was needed and had no row, counted from 0; -1 where
  ///   all is kept
  /// @param numbers what those before it told, in their order; empty for one that had no row, or
  ///   tells nothing
  record Outcome(int missing, List<OptionalLong> numbers) {
    boolean isKept() {
      return missing < 0;
    }
  }
}
