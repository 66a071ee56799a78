package dev.switchboard.mcp.client;

import dev.switchboard.mcp.rpc.RpcException;
import java.io.IOException;

/// A server is lost, or violates the protocol; the message contains none of its text.
final class ServerException extends IOException {
  private static final long serialVersionUID = 1L;

  private final boolean answered;

  ServerException(String message) {
    this(message, false);
  }

  private ServerException(String message, boolean answered) {
    super(message);
    this.answered = answered;
  }

  /// The server has answered, but the answer cannot be read.
  static ServerException unreadable(RpcException fault) {
    return new ServerException(
        "the server's answer is not a message of MCP: " + fault.getMessage(), true);
  }

  /// Whether the server has answered.
  boolean isAnswered() {
    return answered;
  }
}
