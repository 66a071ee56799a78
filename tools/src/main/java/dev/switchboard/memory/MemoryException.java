package dev.switchboard.memory;

import java.io.Serial;

/// A refused operation on memory. Its message says to a model or a person what is wrong and how to
/// correct it.
public final class MemoryException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private final Kind kind;

  /// What is wrong.
  public enum Kind {
    /// There is no block or entry of that name.
    NOT_FOUND,
    /// A block of that name exists.
    EXISTS,
    /// The text to be replaced is not in the block.
    NO_MATCH,
    /// It occurs more than once.
    NOT_UNIQUE,
    /// The value would be longer than its limit.
    LIMIT_EXCEEDED,
    /// The permission does not allow it.
    PERMISSION_DENIED,
    /// It was changed since it was read.
    CONFLICT,
    /// It is not possible, such as archiving a core block.
    INVALID
  }

  /// @param message a sentence
  public MemoryException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /// What is wrong.
  public Kind kind() {
    return kind;
  }

  /// The message.
  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
