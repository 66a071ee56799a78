package dev.switchboard.store;

import dev.switchboard.execution.StoreException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// The faults of a SQLite file, as exceptions whose sentences say what people can do about them.
final class SqliteFaults {
  private static final int BUSY = 5;
  private static final int FULL = 13;

  private final Path file;

  SqliteFaults(Path file) {
    this.file = file;
  }

  /// The exception for a fault of SQLite.
  ///
  /// @param done what could not be done to the file, such as `opened`
  StoreException cannotBe(String done, SQLException e) {
    return exception(" cannot be " + done + ": " + reason(e) + ".", e);
  }

  /// The exception for work that other work of this process has kept waiting for too long.
  ///
  /// @param done what could not be done to the file, such as `read`
  StoreException busy(String done, @Nullable Exception cause) {
    return exception(
        " cannot be " + done + ": it is busy with other work of this program; try again later.",
        cause);
  }

  /// The exception for a damaged value.
  StoreException damaged(String what, @Nullable String fault) {
    return exception(": " + what + " " + fault + ".", null);
  }

  private StoreException exception(String sentence, @Nullable Exception cause) {
    return SqlFailure.exception("The store " + file + sentence, cause);
  }

  /// Whether another connection has the file locked.
  static boolean isBusy(SQLException e) {
    return e.getErrorCode() == BUSY;
  }

  /// The reason, as the rest of a sentence.
  static String reason(SQLException e) {
    if (isBusy(e)) {
      return "another program has it locked, such as a backup or an open database shell, and"
          + " has not released it in time; end that program, or try again later";
    }
    if (e.getErrorCode() == FULL) {
      return "there is no space left on its disk; make room and try again";
    }
    String message = String.valueOf(e.getMessage()).strip();
    return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
  }
}
