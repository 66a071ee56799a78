package dev.switchboard.provider;

import dev.switchboard.model.ModelException;
import java.io.Serial;
import java.util.Locale;

/// An answer that refuses a request, for a client that may ask in another way.
public final class RefusedRequest extends Exception {
  @Serial private static final long serialVersionUID = 1;

  private final int status;
  private final String text;
  private final ModelException failure;

  RefusedRequest(int status, String body, ModelException failure) {
    super(failure.getMessage(), failure);
    this.status = status;
    this.failure = failure;
    // A slash may be escaped in JSON.
    text = body.replace("\\/", "/").toLowerCase(Locale.ROOT);
  }

  /// The answer's status.
  public int status() {
    return status;
  }

  /// Whether the answer contains any of these, in any letter case.
  public boolean says(String... parts) {
    for (String part : parts) {
      if (text.contains(part.toLowerCase(Locale.ROOT))) {
        return true;
      }
    }
    return false;
  }

  /// The failure for those who do not ask again.
  public ModelException failure() {
    return failure;
  }
}
