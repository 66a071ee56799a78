package dev.switchboard.mcp.client;

import dev.switchboard.mcp.rpc.ParameterHeaders;
import dev.switchboard.mcp.rpc.Protocol;
import dev.switchboard.mcp.rpc.RpcMessage;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// The HTTP headers that repeat parts of a request, for intermediaries that do not read bodies (MCP
/// 2026-07-28).
final class RequestHeaders {
  private RequestHeaders() {}

  /// The headers of that request.
  ///
  /// @param parameters the headers of its arguments
  static Map<String, String> of(RpcMessage.Request request, Map<String, String> parameters) {
    Map<String, String> headers = new LinkedHashMap<>(parameters);
    headers.put(Protocol.METHOD_HEADER, request.method());
    JsonNode params = request.params();
    String name =
        switch (request.method()) {
          case "tools/call", "prompts/get" -> params.path("name").asString("");
          case "resources/read" -> params.path("uri").asString("");
          default -> "";
        };
    if (!name.isEmpty()) {
      headers.put(Protocol.NAME_HEADER, ParameterHeaders.encoded(name));
    }
    return headers;
  }
}
