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
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Commands on one connection, for one thread at a time.
final class Session {
  /// The state of a division by zero.
  static final String NO_ROW = "22012";

  private static final int MOST_ROWS = 100;

  private final Connection connection;
  private final Texts texts;
  private final int most;
  private final String lock;
  private final Map<String, PreparedStatement> prepared = new LinkedHashMap<>();
  private final List<Command> last = new ArrayList<>();

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

  /// Does commands at the end of the work, of which none is needed.
  void last(List<Command> commands) {
    last.addAll(commands);
  }

  /// What is to be done at the end of the work, once.
  List<Command> takeLast() {
    List<Command> commands = List.copyOf(last);
    last.clear();
    return commands;
  }

  /// Does commands one after another, up to a needed one that has no row.
  Command.Outcome run(List<Command> commands) throws SQLException {
    List<OptionalLong> numbers = new ArrayList<>();
    for (Command command : commands) {
      @Nullable Object[] values = command.values().toArray();
      boolean found;
      OptionalLong number = OptionalLong.empty();
      if (command.locks()) {
        found = lock(command.text(), values);
      } else if (command.returning() == null) {
        found = change(command.text(), values);
      } else {
        String text = command.text() + " RETURNING " + command.returning();
        List<Long> told = query(text, row -> row.number(1), values);
        found = !told.isEmpty();
        number = found ? OptionalLong.of(told.getFirst()) : number;
      }
      if (command.needed() && !found) {
        return new Command.Outcome(numbers.size(), numbers);
      }
      numbers.add(number);
    }
    return new Command.Outcome(-1, numbers);
  }

  /// Does commands and commits them in one trip, where the driver takes several texts as one.
  ///
  /// @throws SQLException of the state [#NO_ROW] where one that is needed has no row
  List<OptionalLong> runAtOnce(List<Command> commands) throws SQLException {
    StringBuilder sql = new StringBuilder();
    List<@Nullable Object> values = new ArrayList<>();
    for (Command command : commands) {
      sql.append(inOne(command)).append(";\n");
      values.addAll(command.values());
    }
    return with(
        sql.append("COMMIT").toString(),
        values.toArray(),
        statement -> {
          List<OptionalLong> numbers = new ArrayList<>();
          boolean rows = statement.execute();
          for (Command command : commands) {
            numbers.add(rows ? number(statement, command) : OptionalLong.empty());
            rows = statement.getMoreResults();
          }
          return numbers;
        });
  }

  /// A text that fails where the command is needed and has no row: by a division by zero.
  private String inOne(Command command) {
    String returning = command.returning();
    String text = command.locks() ? command.text() + lock : command.text();
    if (command.needed()) {
      String one = returning == null ? "1" : returning;
      return "WITH found (number) AS ("
          + text
          + (command.locks() ? "" : " RETURNING " + one)
          + ") SELECT max(number), 1 / count(*) FROM found";
    }
    return returning == null ? text : text + " RETURNING " + returning;
  }

  private OptionalLong number(PreparedStatement statement, Command command) throws SQLException {
    try (ResultSet found = statement.getResultSet()) {
      return command.returning() != null && found.next()
          ? OptionalLong.of(found.getLong(1))
          : OptionalLong.empty();
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

  private interface Use<T> {
    T of(PreparedStatement statement) throws SQLException;
  }

  private <T> T with(String sql, @Nullable Object[] values, Use<T> use) throws SQLException {
    PreparedStatement known = prepared.remove(sql);
    PreparedStatement statement = known == null ? connection.prepareStatement(sql) : known;
    boolean done = false;
    try {
      for (int i = 0; i < values.length; i++) {
        if (values[i] instanceof Missing missing) {
          statement.setNull(i + 1, missing.type);
        } else if (values[i] instanceof String text) {
          statement.setString(i + 1, texts.encoded(text));
        } else {
          statement.setObject(i + 1, values[i]);
        }
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
