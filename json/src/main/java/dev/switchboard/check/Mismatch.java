package dev.switchboard.check;

import org.jspecify.annotations.Nullable;

/// Stops the fast pass at the first fault, at no cost; the slow pass describes it.
final class Mismatch extends RuntimeException {
  /// Safe to share: it has no stack trace and no suppressed exceptions.
  @SuppressWarnings("StaticAssignmentOfThrowable")
  static final Mismatch INSTANCE = new Mismatch(null);

  /// The check has reached its limit of work; the value may be valid.
  @SuppressWarnings("StaticAssignmentOfThrowable")
  static final Mismatch TOO_COSTLY = new Mismatch(null);

  private static final long serialVersionUID = 1L;

  private final @Nullable String refusal;

  private Mismatch(@Nullable String refusal) {
    super("the arguments do not meet the schema", null, false, false);
    this.refusal = refusal;
  }

  /// Valid members that the type's constructor refuses together.
  static Mismatch refusedByConstructor(Throwable cause) {
    String message = cause.getMessage();
    String words =
        message == null || message.isBlank() ? cause.getClass().getSimpleName() : message.strip();
    return new Mismatch(words.length() > 300 ? words.substring(0, 300) : words);
  }

  /// Throws this if the check has reached its limit of work.
  void unlessCostly() {
    if (this == TOO_COSTLY) {
      throw this;
    }
  }

  /// The constructor's message, or null for any other mismatch.
  @Nullable String refusal() {
    return refusal;
  }
}
