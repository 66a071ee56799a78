package dev.switchboard.mcp.server;

import dev.switchboard.json.Codec;
import dev.switchboard.mcp.rpc.ParameterHeaders;
import dev.switchboard.mcp.rpc.Protocol;
import dev.switchboard.mcp.rpc.RpcError;
import dev.switchboard.mcp.rpc.RpcException;
import dev.switchboard.mcp.rpc.RpcMessage;
import dev.switchboard.mount.Mount;
import dev.switchboard.tool.ToolDefinition;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Checks a request of the revision without sessions: it states its revision and the client's
/// capabilities, and over HTTP its headers repeat parts of the body.
final class StatelessRequest {
  private StatelessRequest() {}

  /// Whether a message claims to be of that revision.
  static boolean is(JsonNode params) {
    return params.path("_meta").has(Protocol.VERSION);
  }

  /// The client's capabilities.
  ///
  /// @param http the HTTP request, null over another transport
  /// @throws RpcException when the request lacks something
  static JsonNode capabilities(RpcMessage.Request request, Mount.@Nullable Request http)
      throws RpcException {
    JsonNode meta = request.params().path("_meta");
    String version = meta.path(Protocol.VERSION).asString("");
    if (!meta.path(Protocol.VERSION).isString()) {
      throw new RpcException(RpcError.INVALID_PARAMS, "_meta needs '" + Protocol.VERSION + "'");
    }
    if (http != null) {
      check(request, version, http);
    }
    if (!version.equals(Protocol.STATELESS)) {
      throw unsupported(version);
    }
    JsonNode capabilities = meta.path(Protocol.CLIENT_CAPABILITIES);
    if (!capabilities.isObject()) {
      throw new RpcException(
          RpcError.INVALID_PARAMS, "_meta needs '" + Protocol.CLIENT_CAPABILITIES + "', an object");
    }
    return capabilities;
  }

  static RpcException unsupported(String version) {
    ObjectNode data = Codec.object();
    var supported = data.putArray("supported").add(Protocol.STATELESS);
    Protocol.WITH_SESSIONS.forEach(supported::add);
    data.put("requested", version);
    return new RpcException(RpcError.UNSUPPORTED_VERSION, "Unsupported protocol version", data);
  }

  private static void check(RpcMessage.Request request, String version, Mount.Request http)
      throws RpcException {
    JsonNode params = request.params();
    same(Protocol.VERSION_HEADER, http, version);
    same(Protocol.METHOD_HEADER, http, request.method());
    switch (request.method()) {
      case "tools/call", "prompts/get" ->
          same(Protocol.NAME_HEADER, http, params.path("name").asString(""));
      case "resources/read" -> same(Protocol.NAME_HEADER, http, params.path("uri").asString(""));
      default -> {}
    }
  }

  /// Checks the headers that repeat arguments of a call.
  static void checkParameters(RpcMessage.Request request, Mount.Request http, ClientSession session)
      throws RpcException {
    JsonNode params = request.params();
    List<ToolDefinition> tools = session.tools();
    for (ToolDefinition tool : tools) {
      if (tool.name().equals(params.path("name").asString(""))) {
        for (Map.Entry<String, String> place : places(tool).entrySet()) {
          checkParameter(place.getKey(), http, params.path("arguments").at(place.getValue()));
        }
      }
    }
  }

  private static Map<String, String> places(ToolDefinition tool) {
    try {
      return ParameterHeaders.of(tool.parameters().tree());
    } catch (ParameterHeaders.UnusableException e) {
      return Map.of();
    }
  }

  private static void checkParameter(String name, Mount.Request http, JsonNode value)
      throws RpcException {
    String header = http.header(name);
    boolean absent = value.isMissingNode() || value.isNull();
    if (absent && header == null) {
      return;
    }
    String decoded = header == null ? null : ParameterHeaders.decoded(header);
    if (absent || decoded == null || !means(decoded, value)) {
      throw mismatch(name);
    }
  }

  private static boolean means(String header, JsonNode value) {
    if (!value.isNumber()) {
      return header.equals(value.asString());
    }
    try {
      return new BigDecimal(header).compareTo(value.decimalValue()) == 0;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static void same(String name, Mount.Request http, String body) throws RpcException {
    @Nullable String header = http.header(name);
    String decoded = header == null ? null : ParameterHeaders.decoded(header);
    if (decoded == null || !decoded.equals(body)) {
      throw mismatch(name);
    }
  }

  private static RpcException mismatch(String name) {
    return new RpcException(
        RpcError.HEADER_MISMATCH,
        "Header mismatch: '" + name + "' is missing or says something else than the body");
  }
}
