package dev.switchboard.model;

import java.io.Serial;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A failed request to a model. The message is for the developer: it names the model, what happened
/// and the remedy, never a key.
public final class ModelException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private final Kind kind;
  private final @Nullable Duration retryAfter;
  private final int window;
  private final boolean passing;

  /// Why the request failed.
  public enum Kind {
    /// It accepts no more requests for a while.
    RATE_LIMITED(true),
    /// Its service is down, overloaded or cannot be reached.
    UNAVAILABLE(true),
    /// Its answer broke off or cannot be read.
    BROKEN(true),
    /// It was silent for too long.
    TIMEOUT(false),
    /// It rejects this request.
    REFUSED(false),
    /// The request has more tokens than the model reads at once.
    TOO_LONG(false),
    /// It has no such option, or not with this value.
    UNSUPPORTED(false),
    /// There is no model of that name, for this account.
    NOT_FOUND(false),
    /// It rejects this account: a wrong key, no money left; or another service answers in its
    /// place.
    DENIED(false),
    /// The request was cancelled.
    CANCELLED(false),
    /// It replied with neither text nor calls.
    EMPTY(true),
    /// The provider withheld its text.
    FILTERED(false);

    private final boolean passing;

    Kind(boolean passing) {
      this.passing = passing;
    }

    /// Whether another provider may answer the same request: the fault is neither in the request
    /// nor in the content of the reply.
    public boolean ofProvider() {
      return switch (this) {
        case RATE_LIMITED,
            UNAVAILABLE,
            BROKEN,
            TIMEOUT,
            TOO_LONG,
            UNSUPPORTED,
            NOT_FOUND,
            DENIED,
            EMPTY ->
            true;
        case REFUSED, CANCELLED, FILTERED -> false;
      };
    }

    /// Whether a retry of the same request may succeed.
    public boolean passing() {
      return passing;
    }

    /// The word in events and files, such as `rate_limited`.
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// A failure without a time to retry.
  public ModelException(Kind kind, String message, @Nullable Throwable cause) {
    this(kind, message, null, cause);
  }

  /// A failure.
  ///
  /// @param retryAfter how long the provider asks to wait, null if it does not say
  public ModelException(
      Kind kind, String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
    this(kind, message, retryAfter, 0, cause);
  }

  /// A failure.
  ///
  /// @param retryAfter how long the provider asks to wait, null if it does not say
  /// @param window how many tokens the model reads at once, 0 if it does not say
  public ModelException(
      Kind kind,
      String message,
      @Nullable Duration retryAfter,
      int window,
      @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.retryAfter = retryAfter;
    this.window = window;
    passing = kind.passing();
  }

  private ModelException(ModelException other, boolean passing) {
    super(other.getMessage(), other.getCause());
    kind = other.kind;
    retryAfter = other.retryAfter;
    window = other.window;
    this.passing = passing;
  }

  /// This failure where the provider says whether a retry may succeed.
  public ModelException withPassing(boolean passes) {
    return passes == passing ? this : new ModelException(this, passes);
  }

  /// Why the request failed.
  public Kind kind() {
    return kind;
  }

  /// Whether a retry of the same request may succeed: as the provider says, or else as the kind
  /// does.
  public boolean passing() {
    return passing;
  }

  /// How long the provider asks to wait, null if it does not say.
  public @Nullable Duration retryAfter() {
    return retryAfter;
  }

  /// How many tokens the model reads at once, 0 if it does not say.
  public int window() {
    return window;
  }
}
