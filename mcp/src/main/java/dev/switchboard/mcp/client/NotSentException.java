package dev.switchboard.mcp.client;

import java.net.ConnectException;
import org.jspecify.annotations.Nullable;

/// A message that certainly did not reach the server.
final class NotSentException extends ConnectException {
  private static final long serialVersionUID = 1L;

  NotSentException(@Nullable String message) {
    super(message);
  }
}
