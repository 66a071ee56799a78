package dev.switchboard.mcp.client;

import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.handler.ToolException;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.mcp.rpc.RpcException;
import dev.switchboard.tool.ToolMode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The tool by which a model lists and reads the resources of servers.
final class ResourcesTool {
  static final String NAME = "mcp_resources";

  private static final String PARAMETERS =
      """
      {"type": "object",
       "properties": {
         "action": {"enum": ["list", "read"]},
         "server": {"type": "string", "description": "the server's name; all of them by default"},
         "uri": {"type": "string", "description": "what to read"}},
       "required": ["action"]}\
      """;
  private static final int MOST = 500;

  private final Supplier<List<RemoteServer>> servers;

  private ResourcesTool(Supplier<List<RemoteServer>> servers) {
    this.servers = servers;
  }

  /// The tool.
  ///
  /// @param servers with resources
  static Tool of(Supplier<List<RemoteServer>> servers) {
    ResourcesTool resources = new ResourcesTool(servers);
    return Tool.dynamic(NAME, PARAMETERS)
        .description("Lists or reads the resources of MCP servers, such as files and records.")
        .mode(ToolMode.READ)
        .handler(resources::answer);
  }

  private Object answer(Json arguments, ToolContext context) throws InterruptedException {
    JsonNode given = arguments.tree();
    String name = given.path("server").asString("");
    List<RemoteServer> asked =
        servers.get().stream()
            .filter(server -> name.isEmpty() || server.settings().name().equals(name))
            .toList();
    if (asked.isEmpty()) {
      throw ToolException.invalidArgument("server", "no MCP server '" + name + "' has resources");
    }
    String uri = given.path("uri").asString("");
    if (given.path("action").asString("").equals("list")) {
      return list(asked, context);
    }
    if (uri.isEmpty() || asked.size() > 1) {
      throw ToolException.invalidArgument(
          uri.isEmpty() ? "uri" : "server",
          "to read, give the 'uri'" + (asked.size() > 1 ? " and the 'server'" : ""));
    }
    return read(asked.getFirst(), uri, context);
  }

  private static Json list(List<RemoteServer> servers, ToolContext context)
      throws InterruptedException {
    ObjectNode all = Codec.object();
    for (RemoteServer server : servers) {
      var listed = all.putArray(server.settings().name());
      for (JsonNode resource : resources(server, context)) {
        ObjectNode shown = listed.addObject().put("uri", resource.path("uri").asString(""));
        shown.put("name", resource.path("name").asString(""));
        shown.put("description", resource.path("description").asString(""));
        if (listed.size() >= MOST) {
          break;
        }
      }
    }
    return Json.of(all);
  }

  private static List<JsonNode> resources(RemoteServer server, ToolContext context)
      throws InterruptedException {
    return asked(
        server, session -> session.list("resources/list", "resources", context::onCancel), context);
  }

  private static String read(RemoteServer server, String uri, ToolContext context)
      throws InterruptedException {
    JsonNode read =
        asked(server, session -> session.resource(uri, context, context::onCancel), context);
    List<String> texts = new ArrayList<>();
    for (JsonNode part : read.path("contents")) {
      boolean text = part.path("text").isString();
      texts.add(
          text
              ? part.path("text").stringValue()
              : "[%s, %d bytes]"
                  .formatted(
                      part.path("mimeType").asString("data"),
                      part.path("blob").asString("").length() * 3L / 4));
    }
    return String.join("\n", texts);
  }

  private static <T> T asked(
      RemoteServer server, RemoteServer.Question<T> question, ToolContext context)
      throws InterruptedException {
    try {
      return server.ask(question, context);
    } catch (RpcException e) {
      throw ToolException.permanent(server.called(String.valueOf(e.getMessage())));
    }
  }
}
