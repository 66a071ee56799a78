package dev.switchboard.store;

import dev.switchboard.text.Told;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Data could not be read or stored. The message is a sentence that names the file, never the data.
public final class StoreException extends RuntimeException implements Told {
  // Of PostgreSQL: it shuts down, starts, has too many connections, or ends an idle one.
  private static final Set<String> PASSING =
      Set.of("57P01", "57P02", "57P03", "57P05", "25P03", "53300");
  // What the pool says, without a state, of a connection whose loss it has noticed before.
  private static final String LOST = "Connection is closed";
  private static final int MOST_CAUSES = 10;

  StoreException(String sentence, @Nullable Throwable cause) {
    super(sentence, cause);
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }

  /// Whether the database did not do its work, so that it may later; false if what it has stored
  /// cannot be used.
  public boolean mayPass() {
    return getCause() instanceof SQLException;
  }

  /// Whether the database cannot be reached just now, or the connection to it was lost.
  public boolean isAway() {
    Throwable cause = getCause();
    for (int i = 0; cause != null && i < MOST_CAUSES; i++) {
      if (cause instanceof SQLException fault && isAway(fault)) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
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
