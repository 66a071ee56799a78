package dev.switchboard.webhook;

import java.io.Serial;

/// Why a URL must not be opened, as a sentence; caught inside this package.
final class UrlRefusedException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  UrlRefusedException(String reason) {
    super(reason, null, false, false);
  }

  String reason() {
    return String.valueOf(getMessage());
  }
}
