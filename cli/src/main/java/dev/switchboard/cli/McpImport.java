package dev.switchboard.cli;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Converts MCP servers to tables of an agent's file: a single server, or those in another
/// program's configuration.
final class McpImport {
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
  /// @param words a file of another program, a URL, or a program and its arguments
  List<Json> tables(List<String> words) {
    String first = words.getFirst();
    boolean file = words.size() == 1 && !first.contains("://") && McpServersFile.isOne(first);
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
    Map<String, JsonNode> servers;
    try {
      servers = McpServersFile.read(file.toString(), ToolImportCommand.read(file));
    } catch (IllegalArgumentException e) {
      throw Failure.usage(file + " " + e.getMessage() + ".", e);
    }
    List<Json> tables = new ArrayList<>();
    servers.forEach((key, stated) -> {
      boolean disabled =
          stated.path("disabled").asBoolean(false) || !stated.path("enabled").asBoolean(true);
      if (disabled) {
        said.accept("'" + Plain.line(key) + "' is left out: it is disabled.");
      } else {
        tables.add(Json.of(new McpServerTable(Plain.line(key), said).of(stated)));
      }
    });
    if (servers.isEmpty()) {
      throw Failure.work(file + " has no mcpServers, in no form that is known.", null);
    }
    return tables;
  }

  static String name(String stated) {
    String name = stated.replaceAll("[^A-Za-z0-9_-]+", "-").replaceAll("^[_-]+|[_-]+$", "");
    String cut = name.substring(0, Math.min(name.length(), LONGEST_NAME)).replaceAll("[_-]+$", "");
    return cut.isEmpty() ? "server" : cut;
  }
}
