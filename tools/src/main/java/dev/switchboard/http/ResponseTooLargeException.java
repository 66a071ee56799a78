package dev.switchboard.http;

import java.io.IOException;
import java.io.Serial;

/// A response that exceeds its limit, and was not read to its end.
public final class ResponseTooLargeException extends IOException {
  @Serial private static final long serialVersionUID = 1;

  /// The failure to read that response.
  public ResponseTooLargeException(long limit) {
    super("response too large (more than " + limit + " bytes)");
  }
}
