package dev.switchboard.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Commands on one connection.
///
/// @param texts how texts are written there
record Session(Connection connection, Texts texts) {
  private static final int MOST_ROWS = 100;

  <T> List<T> query(String sql, Sql.Row<T> read, @Nullable Object... values) throws SQLException {
    try (PreparedStatement statement = prepared(sql, values);
        ResultSet found = statement.executeQuery()) {
      Fields row = new Fields(found, texts::decoded);
      List<T> rows = new ArrayList<>();
      while (found.next()) {
        rows.add(read.read(row));
      }
      return rows;
    }
  }

  boolean change(String sql, @Nullable Object... values) throws SQLException {
    try (PreparedStatement statement = prepared(sql, values)) {
      return statement.executeUpdate() > 0;
    }
  }

  /// Inserts any number of rows, many by one command.
  ///
  /// @param sql up to the rows
  /// @param row the marks of one
  void insert(String sql, String row, List<Object[]> rows) throws SQLException {
    for (int from = 0; from < rows.size(); from += MOST_ROWS) {
      List<Object[]> part = rows.subList(from, Math.min(rows.size(), from + MOST_ROWS));
      boolean unused =
          change(
              sql + " VALUES " + row + (", " + row).repeat(part.size() - 1),
              part.stream().flatMap(Arrays::stream).toArray());
    }
  }

  private PreparedStatement prepared(String sql, @Nullable Object... values) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < values.length; i++) {
      Object value = values[i];
      statement.setObject(i + 1, value instanceof String text ? texts.encoded(text) : value);
    }
    return statement;
  }
}
