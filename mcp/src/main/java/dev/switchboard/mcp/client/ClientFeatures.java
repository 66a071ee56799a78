package dev.switchboard.mcp.client;

import dev.switchboard.handler.ToolContext;
import dev.switchboard.json.Codec;
import dev.switchboard.mcp.client.McpSettings.SamplingSettings;
import dev.switchboard.mcp.rpc.RpcError;
import dev.switchboard.mcp.rpc.RpcException;
import dev.switchboard.model.ChatModel;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Answers the requests of a server to its client: a ping, the root folders, a question to a person
/// (elicitation), a request to the model (sampling). Thread-safe.
final class ClientFeatures {
  private final List<Path> roots;
  private final @Nullable Sampling sampling;
  private final Elicitation elicitation;

  ClientFeatures(McpSettings settings, @Nullable ChatModel model) {
    roots = settings.roots();
    SamplingSettings budget = settings.sampling();
    sampling = budget == null || model == null ? null : new Sampling(model, budget);
    elicitation = new Elicitation(settings.name());
  }

  /// The capabilities that are sent to a server.
  ObjectNode capabilities() {
    ObjectNode capabilities = Codec.object();
    capabilities.putObject("elicitation").putObject("form");
    if (!roots.isEmpty()) {
      capabilities.putObject("roots");
    }
    if (sampling != null) {
      capabilities.putObject("sampling");
    }
    return capabilities;
  }

  /// The result of a server's request.
  ///
  /// @param call that the server is running, null for none or unknown
  JsonNode answer(String method, JsonNode params, @Nullable ToolContext call) throws RpcException {
    return switch (method) {
      case "ping" -> Codec.object();
      case "roots/list" -> roots();
      case "elicitation/create" -> elicitation.answer(params, call);
      case "sampling/createMessage" -> {
        if (sampling == null) {
          throw new RpcException(-1, "This client does not allow sampling.");
        }
        yield sampling.answer(params);
      }
      default ->
          throw new RpcException(RpcError.METHOD_NOT_FOUND, "Unknown method '" + method + "'");
    };
  }

  private JsonNode roots() {
    ObjectNode result = Codec.object();
    ArrayNode all = result.putArray("roots");
    for (Path root : roots) {
      Path name = root.getFileName();
      URI uri = root.toUri();
      all.addObject().put("uri", uri.toString()).put("name", name == null ? "/" : name.toString());
    }
    return result;
  }
}
