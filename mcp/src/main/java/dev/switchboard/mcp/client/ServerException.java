package dev.switchboard.mcp.client;

import java.io.IOException;

/// A server is lost, or violates the protocol; the message contains none of its text.
final class ServerException extends IOException {
  private static final long serialVersionUID = 1L;

  ServerException(String message) {
    super(message);
  }
}
