package dev.switchboard.cli;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Converts MCP servers to tables of an agent's file: a single server, or those in another
/// program's configuration.
final class McpImport {
  private static final List<String> KEPT =
      List.of("command", "args", "env", "cwd", "url", "headers");
  private static final int LONGEST_NAME = 32;

  private final McpArgument server;
  private final Consumer<String> said;

  /// @param said receives sentences about what cannot be converted
  McpImport(McpArgument server, Consumer<String> said) {
    this.server = server;
    this.said = said;
  }

  /// The tables.
  ///
  /// @param words a JSON file, a URL, or a program and its arguments
  List<Json> tables(List<String> words) {
    boolean file = words.size() == 1 && words.getFirst().endsWith(".json");
    return file ? ofFile(Path.of(words.getFirst())) : List.of(asked(words));
  }

  private Json asked(List<String> words) {
    try (ToolExecutor executor = ToolExecutor.builder().tools(server.tools(words)).build()) {
      var state = executor.sources().getFirst();
      ObjectNode table = Codec.object();
      table.put("name", name(state.detail().split(" ", 2)[0]));
      if (words.getFirst().matches("https?://.*")) {
        table.put("url", words.getFirst());
      } else {
        table.put("command", words.getFirst());
        words.subList(1, words.size()).forEach(table.putArray("args")::add);
      }
      state.tools().forEach(table.putArray("include")::add);
      return Json.of(table);
    } catch (IllegalArgumentException e) {
      throw Failure.work(String.valueOf(e.getMessage()), e);
    }
  }

  private List<Json> ofFile(Path file) {
    JsonNode servers;
    try {
      JsonNode all = Json.text(ToolImportCommand.read(file)).tree();
      servers = all.has("mcpServers") ? all.get("mcpServers") : all.path("servers");
    } catch (JsonException e) {
      throw Failure.usage(file + " " + e.getMessage() + ".", e);
    }
    List<Json> tables = new ArrayList<>();
    for (Map.Entry<String, JsonNode> one : servers.properties()) {
      if (one.getValue().path("disabled").asBoolean(false)) {
        said.accept("'" + one.getKey() + "' is left out: it is disabled.");
        continue;
      }
      tables.add(Json.of(table(one.getKey(), one.getValue())));
    }
    if (tables.isEmpty()) {
      throw Failure.work(file + " has no mcpServers.", null);
    }
    return tables;
  }

  private ObjectNode table(String key, JsonNode stated) {
    ObjectNode table = Codec.object().put("name", name(key));
    for (Map.Entry<String, JsonNode> member : stated.properties()) {
      String name = member.getKey().equals("serverUrl") ? "url" : member.getKey();
      boolean empty = member.getValue() instanceof ArrayNode list && list.isEmpty();
      if (KEPT.contains(name) && !empty) {
        table.set(name, member.getValue());
      } else if (!List.of("type", "disabled").contains(name) && !empty) {
        said.accept("'" + name + "' of '" + key + "' is not kept.");
      }
    }
    if (stated.path("type").asString("").equals("sse")) {
      said.accept(
          "'"
              + key
              + "' uses the transport of 2024-11-05, which is not spoken here: streamable HTTP"
              + " is.");
    }
    if (!table.path("env").isEmpty() || !table.path("headers").isEmpty()) {
      said.accept(
          "Secrets of '"
              + key
              + "' stand in the table: write them as \"${NAME}\", from the environment.");
    }
    return table;
  }

  static String name(String stated) {
    String name = stated.replaceAll("[^A-Za-z0-9_-]+", "-").replaceAll("^[_-]+|[_-]+$", "");
    String cut = name.substring(0, Math.min(name.length(), LONGEST_NAME)).replaceAll("[_-]+$", "");
    return cut.isEmpty() ? "server" : cut;
  }
}
