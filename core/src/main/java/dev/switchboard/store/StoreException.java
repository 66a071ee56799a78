package dev.switchboard.store;

import dev.switchboard.text.Told;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Data could not be read or stored. The message is a sentence that names the file, never the data.
public final class StoreException extends RuntimeException implements Told {
  // Of PostgreSQL: it shuts down, starts, or has too many connections.
  private static final Set<String> PASSING = Set.of("57P01", "57P02", "57P03", "53300");

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

  /// Whether the database cannot be reached just now.
  public boolean isAway() {
    String state = getCause() instanceof SQLException fault ? fault.getSQLState() : null;
    return getCause() instanceof SQLTransientConnectionException
        || state != null && (state.startsWith("08") || PASSING.contains(state));
  }
}
