package dev.switchboard.store;

import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// One of several commands that are executed together in one round trip to the database, or not at
/// all. None depends on what an earlier one finds.
sealed interface Command {
  /// Whether nothing is committed if this one finds or changes no row.
  boolean isNeeded();

  /// The fencing token of a conversation.
  ///
  /// @param fence 0 for any
  /// @param principal whose conversation it is; null for anyone's
  record Token(String agent, String conversation, long fence, @Nullable String principal) {}

  /// A query of the token of a conversation, whose row is locked until this transaction ends; there
  /// is none if it has another, or is another principal's.
  ///
  /// @param text its values are the agent, the conversation, twice the token, and the principal, if
  ///   one is named
  record Lock(String text, Token token) implements Command {
    @Override
    public boolean isNeeded() {
      return true;
    }

    List<Object> values() {
      String principal = token.principal;
      return principal == null
          ? List.of(token.agent, token.conversation, token.fence, token.fence)
          : List.of(token.agent, token.conversation, token.fence, token.fence, principal);
    }
  }

  /// Creates the row of a conversation that has none.
  ///
  /// @param empty tables in which it has no rows then
  /// @param token that it then has
  record Begin(String text, Token token, List<Rows> empty, List<Object> values) implements Command {
    @Override
    public boolean isNeeded() {
      return false;
    }
  }

  /// A query and the reader of its rows.
  record Read(String text, Fields.Reader<?> reader, List<Object> values) implements Command {
    @Override
    public boolean isNeeded() {
      return false;
    }
  }

  /// A change of rows.
  ///
  /// @param returning the expression over its row that it returns, null for none
  /// @param token that it leaves behind, if it is one of the state of a conversation; null if it
  ///   may change those of any
  record Change(
      String text,
      @Nullable String returning,
      boolean isNeeded,
      @Nullable Token token,
      List<Object> values)
      implements Command {
    /// This command, which returns that number of the changed row.
    Change returning(String number) {
      return new Change(text, number, isNeeded, token, values);
    }

    /// This command, without whose row nothing is committed.
    Change orNone() {
      return new Change(text, returning, true, token, values);
    }

    /// This command, which leaves that token behind and changes no other.
    Change leaving(Token left) {
      return new Change(text, returning, isNeeded, left, values);
    }
  }

  /// A table of the rows of conversations.
  ///
  /// @param columns beside the agent, the conversation and the number
  /// @param into the beginning of a command that inserts rows
  /// @param insert inserts a row, unless one with its key exists
  /// @param latest a query of the number of a conversation's last row
  record Rows(String table, List<String> columns, String into, String insert, String latest) {
    static Rows of(String table, String... columns) {
      String into =
          "INSERT INTO "
              + table
              + " (agent, conversation, number, "
              + String.join(", ", columns)
              + ")";
      return new Rows(
          table,
          List.of(columns),
          into,
          into + " VALUES (?, ?, ?" + ", ?".repeat(columns.length) + ") ON CONFLICT DO NOTHING",
          "SELECT max(number) FROM " + table + " WHERE agent = ? AND conversation = ?");
    }
  }

  /// Appends a row to those of the conversation, which is locked: it returns its number, the next
  /// one. There is no row if one with its key exists.
  record Append(Rows rows, String agent, String conversation, boolean isNeeded, List<Object> values)
      implements Command {
    /// Whether both can be one command.
    boolean isLike(Append other) {
      return rows.equals(other.rows)
          && agent.equals(other.agent)
          && conversation.equals(other.conversation);
    }
  }

  static Change change(String text, Object... values) {
    return new Change(text, null, false, null, List.of(values));
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
