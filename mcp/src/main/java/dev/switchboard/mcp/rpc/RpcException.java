package dev.switchboard.mcp.rpc;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A request that failed, with the error that answers it.
public final class RpcException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient RpcError error;

  /// That error.
  public RpcException(RpcError error) {
    super(error.message());
    this.error = error;
  }

  /// An error without data.
  public RpcException(int code, String message) {
    this(code, message, null);
  }

  /// An error with data, null for none.
  public RpcException(int code, String message, @Nullable JsonNode data) {
    this(new RpcError(code, message, data));
  }

  /// The error.
  public RpcError error() {
    return error;
  }
}
