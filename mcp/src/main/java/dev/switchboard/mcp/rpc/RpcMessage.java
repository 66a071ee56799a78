package dev.switchboard.mcp.rpc;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One message of JSON-RPC 2.0. Its trees must not be changed.
public sealed interface RpcMessage {
  /// The text to send, without line ends.
  default String text() {
    ObjectNode message = Codec.object().put("jsonrpc", "2.0");
    switch (this) {
      case Request request -> {
        message.set("id", request.id);
        message.put("method", request.method).set("params", request.params);
      }
      case Notification notification ->
          message.put("method", notification.method).set("params", notification.params);
      case Result result -> {
        message.set("id", result.id);
        message.set("result", result.result);
      }
      case Failure failure -> {
        if (failure.id != null) {
          message.set("id", failure.id);
        }
        message.set("error", failure.error.json());
      }
    }
    return Json.of(message).text();
  }

  /// A request.
  ///
  /// @param id a string or an integer
  /// @param params an object
  record Request(JsonNode id, String method, JsonNode params) implements RpcMessage {
    /// The key of its answer, among the requests of one side.
    public String key() {
      return id.toString();
    }
  }

  /// A notification, which has no answer.
  ///
  /// @param params an object
  record Notification(String method, JsonNode params) implements RpcMessage {}

  /// The answer to a request.
  sealed interface Answer extends RpcMessage {
    /// The request's id, null if it could not be read.
    @Nullable JsonNode id();

    /// The key of its request.
    default String key() {
      JsonNode id = id();
      return id == null ? "" : id.toString();
    }
  }

  /// The result of a request.
  ///
  /// @param result an object
  record Result(JsonNode id, JsonNode result) implements Answer {}

  /// The failure of a request.
  record Failure(@Nullable JsonNode id, RpcError error) implements Answer {}

  /// The message of that text.
  ///
  /// @throws RpcException when it is not one, with the error that answers it
  static RpcMessage read(String text) throws RpcException {
    return read(tree(text));
  }

  /// The trees of the messages of that text: one, or those of a batch, which revision 2025-03-26
  /// has.
  ///
  /// @throws RpcException when it is not JSON
  static List<JsonNode> parts(String text) throws RpcException {
    JsonNode tree = tree(text);
    return tree.isArray() ? List.copyOf(tree.values()) : List.of(tree);
  }

  private static JsonNode tree(String text) throws RpcException {
    try {
      return Json.text(text).tree();
    } catch (JsonException e) {
      throw new RpcException(RpcError.PARSE, "The message " + e.getMessage());
    }
  }

  /// The message of that tree.
  ///
  /// @throws RpcException when it is not one, with the error that answers it
  static RpcMessage read(JsonNode message) throws RpcException {
    if (!message.isObject() || !message.path("jsonrpc").asString("").equals("2.0")) {
      throw invalid("a message is an object with \"jsonrpc\": \"2.0\"");
    }
    JsonNode id = message.get("id");
    if (id != null && !id.isString() && !id.isIntegralNumber() && !id.isNull()) {
      throw invalid("'id' must be a string or an integer");
    }
    if (message.has("method")) {
      return asking(message, id);
    }
    if (message.has("error")) {
      return new Failure(
          id == null || id.isNull() ? null : id, RpcError.read(message.get("error")));
    }
    if (id == null || id.isNull() || !message.path("result").isObject()) {
      throw invalid("a message has a 'method', or an 'id' with 'result' or 'error'");
    }
    return new Result(id, message.get("result"));
  }

  private static RpcMessage asking(JsonNode message, @Nullable JsonNode id) throws RpcException {
    JsonNode method = message.get("method");
    JsonNode params = message.hasNonNull("params") ? message.get("params") : Codec.object();
    if (!method.isString() || !params.isObject() || id != null && id.isNull()) {
      throw invalid("'method' must be a string, 'params' an object, and 'id' not null");
    }
    return id == null
        ? new Notification(method.stringValue(), params)
        : new Request(id, method.stringValue(), params);
  }

  private static RpcException invalid(String why) {
    return new RpcException(RpcError.INVALID_REQUEST, "Invalid message: " + why);
  }
}
