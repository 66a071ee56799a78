package dev.switchboard.mcp.rpc;

import dev.switchboard.json.Codec;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The error of a failed request.
///
/// @param data null for none
public record RpcError(int code, String message, @Nullable JsonNode data) {
  /// The text is not JSON.
  public static final int PARSE = -32700;

  /// The JSON is not a message.
  public static final int INVALID_REQUEST = -32600;

  /// There is no such method.
  public static final int METHOD_NOT_FOUND = -32601;

  /// The parameters do not match the method.
  public static final int INVALID_PARAMS = -32602;

  /// An internal error.
  public static final int INTERNAL = -32603;

  /// The client lacks a permission.
  public static final int FORBIDDEN = -32003;

  /// Too much of the client, or of all clients, is open.
  public static final int FULL = -32004;

  /// An HTTP header differs from the message (2026-07-28).
  public static final int HEADER_MISMATCH = -32020;

  /// The client lacks a capability that the request needs (2026-07-28).
  public static final int MISSING_CAPABILITY = -32021;

  /// The server does not speak that version (2026-07-28).
  public static final int UNSUPPORTED_VERSION = -32022;

  static RpcError read(JsonNode error) {
    JsonNode code = error.path("code");
    return new RpcError(
        code.isIntegralNumber() && code.canConvertToInt() ? code.intValue() : INTERNAL,
        error.path("message").asString(""),
        error.get("data"));
  }

  ObjectNode json() {
    ObjectNode error = Codec.object().put("code", code).put("message", message);
    if (data != null) {
      error.set("data", data);
    }
    return error;
  }
}
