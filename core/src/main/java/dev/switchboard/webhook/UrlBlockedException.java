package dev.switchboard.webhook;

import java.io.IOException;
import java.io.Serial;

/// A URL, or an address that it led to, that the guard does not let pass.
public final class UrlBlockedException extends IOException {
  @Serial private static final long serialVersionUID = 1;

  private final String reason;

  UrlBlockedException(String reason) {
    super("URL blocked: " + reason);
    this.reason = reason;
  }

  /// The guard's clause, such as `127.0.0.1 is loopback (127.0.0.0/8)`.
  public String reason() {
    return reason;
  }
}
