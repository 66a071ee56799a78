package dev.switchboard.webhook;

import java.io.Serial;

/// The sentence that says why a text is no URL we would open; caught inside this package.
final class Refused extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  Refused(String reason) {
    super(reason, null, false, false);
  }

  String reason() {
    return String.valueOf(getMessage());
  }
}
