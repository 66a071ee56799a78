package dev.switchboard.check;

import org.jspecify.annotations.Nullable;

/// The one-pass check's way to stop: says only that something is wrong, at no cost; the slow pass
/// says what it is.
final class Mismatch extends RuntimeException {
  /// Safe to share: it keeps neither a stack trace nor suppressed exceptions.
  @SuppressWarnings("StaticAssignmentOfThrowable")
  static final Mismatch INSTANCE = new Mismatch(null);

  /// The check has reached the bound of its work: nothing is known of the value.
  @SuppressWarnings("StaticAssignmentOfThrowable")
  static final Mismatch TOO_COSTLY = new Mismatch(null);

  private static final long serialVersionUID = 1L;

  private final @Nullable String refusal;

  private Mismatch(@Nullable String refusal) {
    super("the arguments do not meet the schema", null, false, false);
    this.refusal = refusal;
  }

  /// Members that are each valid, but refused together by the type's own constructor.
  static Mismatch refusedByConstructor(Throwable cause) {
    String message = cause.getMessage();
    String words =
        message == null || message.isBlank() ? cause.getClass().getSimpleName() : message.strip();
    return new Mismatch(words.length() > 300 ? words.substring(0, 300) : words);
  }

  /// Goes on only where the value is known to be wrong.
  void unlessCostly() {
    if (this == TOO_COSTLY) {
      throw this;
    }
  }

  /// What the constructor said, or null for any other mismatch.
  @Nullable String refusal() {
    return refusal;
  }
}
