package dev.switchboard.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Commands on one connection, for one thread at a time.
final class Session {
  private static final int MOST_ROWS = 100;

  private final Connection connection;
  private final Texts texts;
  private final int most;
  private final String lock;
  private final Map<String, PreparedStatement> prepared = new LinkedHashMap<>();

  /// @param texts how texts are written there
  /// @param most how many commands stay prepared; 0 where the driver sees to that
  /// @param lock the end of a query that locks the rows it finds; empty where one transaction at a
  ///   time writes
  Session(Connection connection, Texts texts, int most, String lock) {
    this.connection = connection;
    this.texts = texts;
    this.most = most;
    this.lock = lock;
  }

  Connection connection() {
    return connection;
  }

  <T> List<T> query(String sql, Sql.Row<T> read, @Nullable Object... values) throws SQLException {
    return with(sql, values, statement -> rows(statement, read));
  }

  private <T> List<T> rows(PreparedStatement statement, Sql.Row<T> read) throws SQLException {
    try (ResultSet found = statement.executeQuery()) {
      Fields row = new Fields(found, texts::decoded);
      List<T> rows = new ArrayList<>();
      while (found.next()) {
        rows.add(read.read(row));
      }
      return rows;
    }
  }

  /// Whether the query finds a row, which no other transaction changes then until this one ends.
  boolean lock(String sql, @Nullable Object... values) throws SQLException {
    return !query(sql + lock, row -> true, values).isEmpty();
  }

  boolean change(String sql, @Nullable Object... values) throws SQLException {
    return with(sql, values, PreparedStatement::executeUpdate) > 0;
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

  private interface Use<T> {
    T of(PreparedStatement statement) throws SQLException;
  }

  private <T> T with(String sql, @Nullable Object[] values, Use<T> use) throws SQLException {
    PreparedStatement known = prepared.remove(sql);
    PreparedStatement statement = known == null ? connection.prepareStatement(sql) : known;
    boolean done = false;
    try {
      for (int i = 0; i < values.length; i++) {
        Object value = values[i];
        statement.setObject(i + 1, value instanceof String text ? texts.encoded(text) : value);
      }
      T result = use.of(statement);
      done = true;
      return result;
    } finally {
      if (done && most > 0) {
        keep(sql, statement);
      } else {
        statement.close();
      }
    }
  }

  /// Keeps the command for its next use, and lets go of the one that was not used for longest.
  private void keep(String sql, PreparedStatement statement) throws SQLException {
    statement.clearParameters();
    prepared.put(sql, statement);
    if (prepared.size() > most) {
      var longest = prepared.entrySet().iterator();
      PreparedStatement gone = longest.next().getValue();
      longest.remove();
      gone.close();
    }
  }
}
