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
final class SqlSession {
  private static final int MOST_ROWS = 100;

  private final Connection connection;
  private final Texts texts;
  private final int most;
  private final String lock;
  private final LastWrites heads;
  private final Map<String, PreparedStatement> prepared = new LinkedHashMap<>();
  private final List<Command> last = new ArrayList<>();

  /// @param texts how texts are written there
  /// @param most how many commands stay prepared; 0 if the driver caches them
  /// @param lock the end of a query that locks the rows it finds; empty if one transaction at a
  ///   time writes
  /// @param heads what the connection knows of what it has written
  SqlSession(Connection connection, Texts texts, int most, String lock, LastWrites heads) {
    this.connection = connection;
    this.texts = texts;
    this.most = most;
    this.lock = lock;
    this.heads = heads;
  }

  Connection connection() {
    return connection;
  }

  <T> List<T> query(String sql, Fields.Reader<T> read, @Nullable Object... values)
      throws SQLException {
    return with(sql, values, statement -> rows(statement, read));
  }

  private <T> List<T> rows(PreparedStatement statement, Fields.Reader<T> read) throws SQLException {
    try (ResultSet found = statement.executeQuery()) {
      Fields row = new Fields(found, texts::decoded);
      List<T> rows = new ArrayList<>();
      while (found.next()) {
        rows.add(read.read(row));
      }
      return rows;
    }
  }

  boolean change(String sql, @Nullable Object... values) throws SQLException {
    return with(sql, values, PreparedStatement::executeUpdate) > 0;
  }

  /// Begins the work of a transaction in which no other connection writes.
  void begin() throws SQLException {
    heads.version(query("PRAGMA data_version", row -> row.number(1)).getFirst());
  }

  /// Forgets what is known of the rows, which have changed.
  void forget() {
    heads.clear();
  }

  /// Adds commands to the end of the work, none of which is required.
  void last(List<Command> commands) {
    last.addAll(commands);
  }

  /// The commands for the end of the work, which are returned once.
  List<Command> takeLast() {
    List<Command> commands = List.copyOf(last);
    last.clear();
    return commands;
  }

  /// Executes commands one after another, up to a required one without a row.
  Command.Outcome run(List<Command> commands) throws SQLException {
    List<OptionalLong> numbers = new ArrayList<>();
    for (Command command : commands) {
      OptionalLong number = run(command);
      if (command.isNeeded() && number.isEmpty()) {
        return new Command.Outcome(numbers.size(), numbers);
      }
      numbers.add(number);
    }
    return new Command.Outcome(-1, numbers);
  }

  /// The number that it returns, any number if it returns none; empty if it has no row.
  private OptionalLong run(Command command) throws SQLException {
    return switch (command) {
      case Command.Lock locking -> locked(locking);
      case Command.Read(String text, var reader, var values) -> {
        List<?> unused = query(text, reader, values.toArray());
        yield OptionalLong.empty();
      }
      case Command.Begin begin -> begun(begin);
      case Command.Change change -> changed(change);
      case Command.Append append -> appended(append);
    };
  }

  private OptionalLong locked(Command.Lock command) throws SQLException {
    Command.Token token = command.token();
    OptionalLong known = heads.fence(token);
    if (known.isPresent()) {
      boolean found = token.fence() == 0 || token.fence() == known.getAsLong();
      return found ? known : OptionalLong.empty();
    }
    OptionalLong fence = firstNumber(command.text() + lock, command.values());
    if (fence.isPresent()) {
      heads.fence(token, fence.getAsLong());
    }
    return fence;
  }

  private OptionalLong begun(Command.Begin command) throws SQLException {
    boolean begun = change(command.text(), command.values().toArray());
    if (begun) {
      Command.Token token = command.token();
      heads.fence(token, 0);
      for (Command.Rows rows : command.empty()) {
        heads.last(rows.table(), token.agent(), token.conversation(), 0);
      }
    }
    return begun ? OptionalLong.of(0) : OptionalLong.empty();
  }

  private OptionalLong changed(Command.Change command) throws SQLException {
    Object[] values = command.values().toArray();
    OptionalLong number =
        command.returning() == null
            ? change(command.text(), values) ? OptionalLong.of(0) : OptionalLong.empty()
            : firstNumber(command.text() + " RETURNING " + command.returning(), command.values());
    Command.Token left = command.token();
    if (left == null) {
      heads.clear();
    } else if (number.isPresent()) {
      heads.fence(left, left.fence());
    }
    return number;
  }

  /// The number is known or looked for first: for a command that returns it, SQLite makes a table
  /// each time.
  private OptionalLong appended(Command.Append append) throws SQLException {
    String table = append.rows().table();
    OptionalLong known = heads.last(table, append.agent(), append.conversation());
    long last = known.isPresent() ? known.getAsLong() : latest(append);
    boolean added = added(append, last + 1);
    if (!added && known.isPresent()) {
      // Either its key is there, or, if what is known is wrong, its number.
      last = latest(append);
      added = last != known.getAsLong() && added(append, last + 1);
    }
    if (!added) {
      return OptionalLong.empty();
    }
    heads.last(table, append.agent(), append.conversation(), last + 1);
    return OptionalLong.of(last + 1);
  }

  private long latest(Command.Append append) throws SQLException {
    return query(
            append.rows().latest(), row -> row.number(1), append.agent(), append.conversation())
        .getFirst();
  }

  private boolean added(Command.Append append, long number) throws SQLException {
    Object[] values = new Object[append.values().size() + 3];
    values[0] = append.agent();
    values[1] = append.conversation();
    values[2] = number;
    for (int i = 3; i < values.length; i++) {
      values[i] = append.values().get(i - 3);
    }
    return change(append.rows().insert(), values);
  }

  private OptionalLong firstNumber(String sql, List<Object> values) throws SQLException {
    List<Long> rows = query(sql, row -> row.number(1), values.toArray());
    return rows.isEmpty() ? OptionalLong.empty() : OptionalLong.of(rows.getFirst());
  }

  /// Executes and commits commands in one round trip.
  ///
  /// @throws SQLException of a state that [CommandBatch#isMissing] knows if they have to be
  ///   executed one by one
  List<OptionalLong> run(CommandBatch batch) throws SQLException {
    return with(
        batch.sql(lock) + "COMMIT",
        batch.values().toArray(),
        statement -> batch.numbers(statement, texts));
  }

  /// Executes and commits commands, and then a query in its own transaction, in one round trip.
  List<OptionalLong> run(CommandBatch batch, String query, String value) throws SQLException {
    List<Object> values = new ArrayList<>(batch.values());
    values.add(value);
    return with(
        batch.sql(lock) + "COMMIT;\n" + query,
        values.toArray(),
        statement -> batch.numbers(statement, texts));
  }

  /// Inserts any number of rows, many with one command.
  ///
  /// @param sql up to the rows
  /// @param row the placeholders of one
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
    PreparedStatement cached = prepared.remove(sql);
    PreparedStatement statement = cached == null ? connection.prepareStatement(sql) : cached;
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
        cache(sql, statement);
      } else {
        statement.close();
      }
    }
  }

  /// Keeps the command for its next use, and closes the least recently used one.
  private void cache(String sql, PreparedStatement statement) throws SQLException {
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
