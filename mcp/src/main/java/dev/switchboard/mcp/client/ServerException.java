package dev.switchboard.mcp.client;

import java.io.IOException;

/// A server that is gone, or that does not keep to the protocol; in words of ours.
final class ServerException extends IOException {
  private static final long serialVersionUID = 1L;

  ServerException(String message) {
    super(message);
  }
}
