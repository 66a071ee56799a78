package dev.switchboard.store;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/// Commands as one text, for a driver that sends several in one round trip and a server that stops
/// after one that fails. Consecutive rows of a table are one command. It also fails if a command
/// that must affect a row affects none.
record CommandBatch(List<Command> commands) {
  private static final String DIVISION_BY_ZERO = "22012";
  private static final String NOT_UNIQUE = "23505";

  /// Whether a required row is missing, or a row exists that must not be repeated.
  static boolean isMissing(SQLException e) {
    return DIVISION_BY_ZERO.equals(e.getSQLState()) || NOT_UNIQUE.equals(e.getSQLState());
  }

  /// The text, in which each command is terminated.
  ///
  /// @param lock the end of a query that locks the rows it finds
  String sql(String lock) {
    StringBuilder sql = new StringBuilder();
    for (int i = 0; i < commands.size(); i++) {
      switch (commands.get(i)) {
        case Command.Lock locking -> sql.append(found(locking.text() + lock));
        case Command.Begin begin -> sql.append(begin.text());
        case Command.Read read -> sql.append(read.text());
        case Command.Change change -> sql.append(text(change));
        case Command.Append append -> {
          int rows = rowsFrom(i);
          sql.append(text(append, rows));
          i += rows - 1;
        }
      }
      sql.append(";\n");
    }
    return sql.toString();
  }

  private static String text(Command.Change change) {
    String returned = change.returning() == null ? "1" : change.returning();
    String text = change.text() + " RETURNING " + returned;
    return change.isNeeded() ? found(text) : change.returning() == null ? change.text() : text;
  }

  /// A text that fails, by a division by zero, if it has no row.
  private static String found(String text) {
    return "WITH found (number) AS (" + text + ") SELECT max(number), 1 / count(*) FROM found";
  }

  /// How many rows from there on belong to the same table.
  private int rowsFrom(int first) {
    int rows = 1;
    while (first + rows < commands.size()
        && commands.get(first + rows) instanceof Command.Append next
        && next.isLike((Command.Append) commands.get(first))) {
      rows++;
    }
    return rows;
  }

  private static String text(Command.Append append, int rows) {
    StringBuilder text = new StringBuilder(append.rows().into());
    int columns = append.rows().columns().size();
    text.append(" SELECT ?, ?, last.number + rows.column1");
    for (int i = 2; i <= columns + 1; i++) {
      text.append(", rows.column").append(i);
    }
    text.append(" FROM (SELECT coalesce(max(number), 0) AS number FROM ")
        .append(append.rows().table())
        .append(" WHERE agent = ? AND conversation = ?) AS last, (VALUES ");
    for (int row = 1; row <= rows; row++) {
      text.append(row == 1 ? "(" : ", (").append(row).append(", ?".repeat(columns)).append(')');
    }
    return text.append(") AS rows RETURNING number").toString();
  }

  /// The values of its placeholders.
  List<Object> values() {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < commands.size(); i++) {
      switch (commands.get(i)) {
        case Command.Lock locking -> values.addAll(locking.values());
        case Command.Begin begin -> values.addAll(begin.values());
        case Command.Read read -> values.addAll(read.values());
        case Command.Change change -> values.addAll(change.values());
        case Command.Append append -> {
          boolean follows =
              i > 0 && commands.get(i - 1) instanceof Command.Append last && append.isLike(last);
          values.addAll(follows ? append.values() : values(append));
        }
      }
    }
    return values;
  }

  private static List<Object> values(Command.Append append) {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      values.add(append.agent());
      values.add(append.conversation());
    }
    values.addAll(append.values());
    return values;
  }

  /// What the commands returned, after the text was executed.
  ///
  /// @param texts how texts are written there
  List<OptionalLong> numbers(PreparedStatement statement, Texts texts) throws SQLException {
    List<OptionalLong> numbers = new ArrayList<>();
    boolean hasRows = statement.execute();
    while (numbers.size() < commands.size()) {
      Command command = commands.get(numbers.size());
      int rows = command instanceof Command.Append ? rowsFrom(numbers.size()) : 1;
      if (command instanceof Command.Read read) {
        read(statement, read.reader(), texts);
        numbers.add(OptionalLong.empty());
      } else if (!hasRows) {
        numbers.add(OptionalLong.empty());
      } else {
        read(statement, rows, numbers);
      }
      hasRows = statement.getMoreResults();
    }
    return numbers;
  }

  private static void read(PreparedStatement statement, Fields.Reader<?> reader, Texts texts)
      throws SQLException {
    try (ResultSet found = statement.getResultSet()) {
      Fields row = new Fields(found, texts::decoded);
      while (found.next()) {
        Object unused = reader.read(row);
      }
    }
  }

  /// Reads the numbers of rows, which are consecutive.
  private static void read(PreparedStatement statement, int rows, List<OptionalLong> numbers)
      throws SQLException {
    try (ResultSet found = statement.getResultSet()) {
      long least = Long.MAX_VALUE;
      while (found.next()) {
        least = Math.min(least, found.getLong(1));
      }
      for (int i = 0; i < rows; i++) {
        numbers.add(OptionalLong.of(least + i));
      }
    }
  }
}
