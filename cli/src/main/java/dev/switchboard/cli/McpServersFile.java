package dev.switchboard.cli;

import dev.switchboard.json.Codec;
import dev.switchboard.openapi.YamlText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.tomlj.Toml;
import org.tomlj.TomlParseResult;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The MCP servers in another program's configuration, whose form shows in its shape: JSON, also
/// with comments, YAML or TOML.
final class McpServersFile {
  /// Where programs keep their servers, as paths of members.
  private static final List<List<String>> PLACES =
      List.of(
          List.of("mcpServers"), // Claude, Cursor, Windsurf, LM Studio, Gemini CLI, Continue
          List.of("servers"), // VS Code
          List.of("mcp", "servers"), // settings of VS Code
          List.of("mcp.servers"), // the same, flat
          List.of("mcp"), // opencode
          List.of("context_servers"), // Zed
          List.of("mcp_servers"), // Codex
          List.of("extensions"), // Goose
          List.of("amp.mcpServers"),
          List.of("experimental", "modelContextProtocolServers")); // Continue, before YAML

  private static final List<String> WAYS =
      List.of("command", "cmd", "url", "serverUrl", "httpUrl", "uri", "transport");

  /// What stands beside servers in one of these places.
  private static final List<String> BESIDE = List.of("servers", "inputs");

  private static final List<String> SUFFIXES = List.of(".json", ".jsonc", ".toml", ".yaml", ".yml");

  private static final JsonMapper LENIENT =
      JsonMapper.builder()
          .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
          .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
          .build();

  private static final JsonMapper STRICT =
      LENIENT.rebuild().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private static final Pattern TWICE = Pattern.compile("^Duplicate [^'\"]*['\"](.*?)['\"]");

  private McpServersFile() {}

  /// Whether that is the name of such a file.
  static boolean isOne(String name) {
    return SUFFIXES.stream().anyMatch(name.toLowerCase(Locale.ROOT)::endsWith);
  }

  /// The entries of the text's servers, by name, also those that cannot be reached from here; empty
  /// if it has none in a known place.
  ///
  /// @throws IllegalArgumentException when it cannot be read, with the rest of a sentence
  /// @param said receives a sentence about a key that stands twice
  static Map<String, JsonNode> read(String name, String text, Consumer<String> said) {
    JsonNode root = tree(name, text, said);
    Map<String, JsonNode> servers = new LinkedHashMap<>();
    for (List<String> place : PLACES) {
      JsonNode found = root;
      for (String step : place) {
        found = found.path(step);
      }
      add(found, servers);
    }
    root.path("projects").forEach(project -> add(project.path("mcpServers"), servers));
    if (servers.values().stream().noneMatch(McpServersFile::isReached)) {
      Map<String, JsonNode> bare = new LinkedHashMap<>();
      add(root, bare);
      bare.values().removeIf(server -> !isReached(server));
      servers.putAll(bare);
    }
    return servers;
  }

  /// Whether the entry says how its server is reached.
  static boolean isReached(JsonNode server) {
    return server instanceof ObjectNode && WAYS.stream().anyMatch(server::has);
  }

  private static JsonNode tree(String name, String plain, Consumer<String> said) {
    if (name.toLowerCase(Locale.ROOT).endsWith(".toml")) {
      TomlParseResult toml = Toml.parse(plain);
      if (toml.hasErrors()) {
        throw new IllegalArgumentException(
            "is not TOML: " + Plain.line(String.valueOf(toml.errors().getFirst())));
      }
      return LENIENT.readTree(toml.toJson());
    }
    if (name.toLowerCase(Locale.ROOT).matches(".*\\.ya?ml")) {
      return YamlText.tree(plain);
    }
    try {
      warnOfRepeatedKey(name, plain, said);
      JsonNode root = LENIENT.readTree(plain);
      return root == null ? Codec.object() : root;
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          "is not JSON: line " + (e.getLocation() == null ? 1 : e.getLocation().getLineNr()), e);
    }
  }

  /// Tells the first key that stands twice, of which only the last one is read.
  private static void warnOfRepeatedKey(String name, String text, Consumer<String> said) {
    try {
      var unused = STRICT.readTree(text);
    } catch (JacksonException e) {
      Matcher twice = TWICE.matcher(String.valueOf(e.getOriginalMessage()));
      if (twice.find() && e.getLocation() != null) {
        said.accept(
            "%s has '%s' twice (line %d): only the last one is read."
                .formatted(name, Plain.line(twice.group(1)), e.getLocation().getLineNr()));
      }
    }
  }

  /// Adds the servers of a table by name, or of a list.
  private static void add(JsonNode found, Map<String, JsonNode> servers) {
    if (found.isArray()) {
      List<JsonNode> all = new ArrayList<>(found.values());
      for (int i = 0; i < all.size(); i++) {
        put(all.get(i).path("name").asString("server-" + (i + 1)), all.get(i), servers);
      }
    } else {
      found.forEachEntry((name, server) -> put(name, server, servers));
    }
  }

  private static void put(String name, JsonNode server, Map<String, JsonNode> servers) {
    if (isReached(server) || !BESIDE.contains(name)) {
      servers.merge(name, server, (first, other) -> isReached(first) ? first : other);
    }
  }
}
