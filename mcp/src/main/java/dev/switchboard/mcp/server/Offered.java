package dev.switchboard.mcp.server;

import dev.switchboard.agent.Agent;
import dev.switchboard.json.Codec;
import dev.switchboard.mcp.rpc.RpcError;
import dev.switchboard.mcp.rpc.RpcException;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What an agent offers beside its tools: its memory blocks as resources, and its prompt.
final class Offered {
  private static final String SCHEME = "memory:///";
  private static final String PROMPT = "instructions";
  private static final int NOT_FOUND = -32002; // of the revisions with sessions

  /// The version of a block that does not exist.
  static final Long GONE = -1L;

  private final Agent agent;

  Offered(Agent agent) {
    this.agent = agent;
  }

  /// The result of `resources/list`: the blocks as the client's principal sees them.
  ObjectNode resources(Client client) {
    ObjectNode result = Codec.object();
    ArrayNode all = result.putArray("resources");
    for (Memory.View view : agent.memory(client.principal().name()).blocks()) {
      Block block = view.block();
      all.addObject()
          .put("uri", SCHEME + block.label())
          .put("name", block.label())
          .put("description", block.description())
          .put("mimeType", "text/plain");
    }
    return result;
  }

  /// The versions of that principal's blocks, by URI.
  Map<String, Long> versions(String principal) {
    return agent.memory(principal).blocks().stream()
        .collect(
            Collectors.toMap(
                view -> SCHEME + view.block().label(), view -> view.block().version()));
  }

  /// Subscribes that client to changes of the resource in the parameters.
  void subscribe(JsonNode params, Client client) throws RpcException {
    Block block = block(params, client);
    client.session().subscribed().put(SCHEME + block.label(), block.version());
  }

  /// The current versions of that principal's resources, by URI.
  Map<String, Long> versions(String principal, Set<String> uris) {
    Map<String, Long> all = versions(principal);
    Map<String, Long> versions = new ConcurrentHashMap<>();
    uris.forEach(uri -> versions.put(uri, all.getOrDefault(uri, GONE)));
    return versions;
  }

  /// The result of `resources/read`.
  ObjectNode read(JsonNode params, Client client) throws RpcException {
    Block block = block(params, client);
    ObjectNode result = Codec.object();
    result
        .putArray("contents")
        .addObject()
        .put("uri", SCHEME + block.label())
        .put("mimeType", "text/plain")
        .put("text", block.value());
    return result;
  }

  private Block block(JsonNode params, Client client) throws RpcException {
    String uri = params.path("uri").asString("");
    try {
      if (uri.startsWith(SCHEME)) {
        return agent
            .memory(client.principal().name())
            .block(uri.substring(SCHEME.length()))
            .block();
      }
    } catch (MemoryException e) {
      // There is none that this agent may read.
    }
    ObjectNode data = Codec.object().put("uri", uri);
    int code = client.isStateless() ? RpcError.INVALID_PARAMS : NOT_FOUND;
    throw new RpcException(code, "Resource not found", data);
  }

  /// The result of `prompts/list`.
  ObjectNode prompts() {
    ObjectNode result = Codec.object();
    result
        .putArray("prompts")
        .addObject()
        .put("name", PROMPT)
        .put(
            "description",
            "The instructions of '%s', with the rules of its tools.".formatted(agent.name()));
    return result;
  }

  /// The result of `prompts/get`.
  ObjectNode prompt(JsonNode params, Client client) throws RpcException {
    if (!params.path("name").asString("").equals(PROMPT)) {
      throw new RpcException(RpcError.INVALID_PARAMS, "Unknown prompt");
    }
    ObjectNode result = Codec.object();
    ObjectNode message = result.putArray("messages").addObject().put("role", "user");
    message.putObject("content").put("type", "text").put("text", client.session().instructions());
    return result;
  }
}
