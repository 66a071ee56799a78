package dev.switchboard.cli;

import dev.switchboard.cli.edit.ToolFile;
import dev.switchboard.config.AgentFile;
import dev.switchboard.config.ConfigException;
import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Converts MCP servers to tables of an agent's file: a single server, or those in another
/// program's configuration.
final class McpImport {
  private static final int LONGEST_NAME = 32;
  private static final int LONGEST_TOLD = 100;

  /// What Goose calls its own extensions.
  private static final Set<String> BUILT_IN = Set.of("builtin", "platform", "frontend");

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
      servers = McpServersFile.read(file.toString(), ToolImportCommand.read(file), said);
    } catch (IllegalArgumentException e) {
      throw Failure.usage(file + " " + e.getMessage() + ".", e);
    }
    Map<String, Json> tables = new LinkedHashMap<>();
    servers.forEach((key, stated) -> add(Plain.cut(key, LONGEST_TOLD), stated, tables));
    if (servers.values().stream().noneMatch(McpServersFile::isReached)) {
      throw Failure.work(
          servers.isEmpty()
              ? file + " names no MCP server: 'mcpServers' and its like are empty, or not there."
              : file + " has no MCP server with a command or a URL.",
          null);
    }
    if (tables.isEmpty()) {
      throw Failure.work(file + " has no server that can be imported.", null);
    }
    return List.copyOf(tables.values());
  }

  /// Adds the table of that entry, by its name, if it can be one; otherwise says why not.
  private void add(String key, JsonNode stated, Map<String, Json> tables) {
    String why = absence(stated);
    if (why == null) {
      ObjectNode table = new McpServerTable(key, said).of(stated);
      why = fault(Json.of(table));
      if (why == null) {
        String name = unique(name(key), tables.keySet());
        if (!name.equals(key)) {
          said.accept("'" + key + "' is named '" + name + "'.");
        }
        tables.put(name, Json.of(table.put("name", name)));
        return;
      }
    }
    said.accept("'" + key + "' is left out: " + why + ".");
  }

  /// Why the entry has no table, as a clause; null if it can have one.
  private static @Nullable String absence(JsonNode stated) {
    if (!stated.isObject()) {
      return "it is not a table";
    }
    if (stated.path("disabled").asBoolean(false) || !stated.path("enabled").asBoolean(true)) {
      return "it is disabled";
    }
    if (McpServersFile.isReached(stated)) {
      return null;
    }
    boolean own =
        stated.path("source").asString("").equals("extension")
            || BUILT_IN.contains(stated.path("type").asString(""));
    return own
        ? "it is a part of the program whose file this is"
        : "it has neither a command nor a URL";
  }

  /// Why an agent's file could not have that table, as a clause; null if it could.
  private static @Nullable String fault(Json table) {
    String text = "[agent]\nname = \"a\"\n\n";
    try {
      var unused =
          AgentFile.preview(
              Path.of("agent.toml"), text + ToolFile.text(List.of(table), ToolFile.Kind.SERVERS));
      return null;
    } catch (ConfigException e) {
      return e.faults().stream()
          .filter(fault -> fault.severity() == Severity.ERROR)
          .findFirst()
          .map(fault -> fault.message().replaceFirst("^agent\\.mcp\\[0]\\.?", "").strip())
          .map(fault -> fault.matches("(has|needs) .*") ? "it " + fault : fault)
          .orElse(null);
    }
  }

  private static String unique(String name, Set<String> taken) {
    String unlike = name;
    for (int i = 2; taken.contains(unlike); i++) {
      String end = "-" + i;
      unlike = name.substring(0, Math.min(name.length(), LONGEST_NAME - end.length())) + end;
    }
    return unlike;
  }

  static String name(String stated) {
    String name = stated.replaceAll("[^A-Za-z0-9_-]+", "-").replaceAll("^[_-]+|[_-]+$", "");
    String cut = name.substring(0, Math.min(name.length(), LONGEST_NAME)).replaceAll("[_-]+$", "");
    return cut.isEmpty() ? "server" : cut;
  }
}
