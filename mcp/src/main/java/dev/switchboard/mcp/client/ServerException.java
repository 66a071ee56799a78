package dev.switchboard.mcp.client;

import java.io.IOException;

/// A server is gone, or violates the protocol; the message is ours.
final class ServerException extends IOException {
  private static final long serialVersionUID = 1L;

  ServerException(String message) {
    super(message);
  }
}
