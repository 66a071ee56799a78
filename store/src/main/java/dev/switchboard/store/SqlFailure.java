package dev.switchboard.store;

import dev.switchboard.execution.StoreException;
import dev.switchboard.execution.StoreException.Kind;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the failure of a database means to those who use it.
final class SqlFailure {
  // Of PostgreSQL: it shuts down, starts, has too many connections, or ends an idle one.
  private static final Set<String> PASSING =
      Set.of("57P01", "57P02", "57P03", "57P05", "25P03", "53300");
  // What the pool says, without a state, of a connection whose loss it has noticed before.
  private static final String LOST = "Connection is closed";
  private static final int MOST_CAUSES = 10;

  private SqlFailure() {}

  /// The exception for data that could not be read or stored.
  ///
  /// @param sentence names the file or the server, never the data
  static StoreException exception(String sentence, @Nullable Throwable cause) {
    return new StoreException(sentence, kind(cause), cause);
  }

  private static Kind kind(@Nullable Throwable cause) {
    Throwable inner = cause;
    for (int i = 0; inner != null && i < MOST_CAUSES; i++) {
      if (inner instanceof SQLException fault && isAway(fault)) {
        return Kind.AWAY;
      }
      inner = inner.getCause();
    }
    return cause instanceof SQLException ? Kind.PASSING : Kind.LASTING;
  }

  private static boolean isAway(SQLException fault) {
    String state = fault.getSQLState();
    return fault instanceof SQLTransientConnectionException
        || fault instanceof SQLNonTransientConnectionException
        || fault instanceof SQLRecoverableException
        || (state == null
            ? LOST.equals(fault.getMessage())
            : state.startsWith("08") || PASSING.contains(state));
  }
}
