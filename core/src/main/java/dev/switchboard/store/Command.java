package dev.switchboard.store;

import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// One of several commands that are executed together in one round trip to the database, or not at
/// all. None depends on what an earlier one finds.
sealed interface Command {
  /// Whether nothing is committed if this one finds or changes no row.
  boolean isNeeded();

  /// A query of one number, whose row is locked until this transaction ends.
  record Lock(String text, List<Object> values) implements Command {
    @Override
    public boolean isNeeded() {
      return true;
    }
  }

  /// A query and the reader of its rows.
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
    /// This command, which returns that number of the changed row.
    Change telling(String number) {
      return new Change(text, number, isNeeded, values);
    }

    /// This command, without whose row nothing is committed.
    Change orNone() {
      return new Change(text, telling, true, values);
    }
  }

  /// Appends a row to those of the conversation, which is locked: it returns its number, the next
  /// one. There is no row if one with its key exists.
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
    /// Whether both can be one command.
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

  /// The results of commands.
  ///
  /// @param missing the index of the command whose required row was missing; -1 if everything is
  ///   committed
  /// @param numbers what those before it returned, in order; empty for one that had no row, or
  ///   returns nothing
  record Outcome(int missing, List<OptionalLong> numbers) {
    boolean isKept() {
      return missing < 0;
    }
  }
}
