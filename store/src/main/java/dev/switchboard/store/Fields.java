package dev.switchboard.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The fields of a row, counted from 1.
record Fields(ResultSet row, UnaryOperator<String> decoding) {
  /// Reads a row.
  interface Reader<T> {
    T read(Fields row) throws SQLException;
  }

  String text(int column) throws SQLException {
    String text = textOrNull(column);
    if (text == null) {
      throw new SQLException("a text is missing");
    }
    return text;
  }

  @Nullable String textOrNull(int column) throws SQLException {
    String text = row.getString(column);
    return text == null ? null : decoding.apply(text);
  }

  long number(int column) throws SQLException {
    return row.getLong(column);
  }

  @Nullable Long numberOrNull(int column) throws SQLException {
    long number = row.getLong(column);
    return row.wasNull() ? null : number;
  }

  int small(int column) throws SQLException {
    return row.getInt(column);
  }

  byte[] bytes(int column) throws SQLException {
    return row.getBytes(column);
  }

  double decimal(int column) throws SQLException {
    return row.getDouble(column);
  }
}
