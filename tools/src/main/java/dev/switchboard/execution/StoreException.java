package dev.switchboard.execution;

import dev.switchboard.text.LoggableMessage;
import org.jspecify.annotations.Nullable;

/// Data could not be read or stored. The message is a sentence that names the store, never the
/// data.
public final class StoreException extends RuntimeException implements LoggableMessage {
  /// What can be expected of another try.
  public enum Kind {
    /// The store cannot be reached just now, or the connection to it was lost.
    AWAY,
    /// The store did not do its work, and may do it later.
    PASSING,
    /// What is stored cannot be used.
    LASTING
  }

  private final Kind kind;

  /// For stores.
  ///
  /// @param sentence a whole sentence for people
  public StoreException(String sentence, Kind kind, @Nullable Throwable cause) {
    super(sentence, cause);
    this.kind = kind;
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }

  /// Whether the store did not do its work, so that it may later; false if what it has stored
  /// cannot be used.
  public boolean mayPass() {
    return kind != Kind.LASTING;
  }

  /// Whether the store cannot be reached just now, or the connection to it was lost.
  public boolean isAway() {
    return kind == Kind.AWAY;
  }
}
