package dev.switchboard.cli;

import dev.switchboard.guard.Secrets;
import dev.switchboard.json.Codec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Converts a server of another program's configuration to a table of an agent's file.
final class McpServerTable {
  /// Our keys by the words of other programs.
  private static final Map<String, String> KEYS =
      Map.ofEntries(
          Map.entry("command", "command"),
          Map.entry("cmd", "command"),
          Map.entry("args", "args"),
          Map.entry("env", "env"),
          Map.entry("envs", "env"),
          Map.entry("environment", "env"),
          Map.entry("env_vars", "env_vars"),
          Map.entry("cwd", "cwd"),
          Map.entry("url", "url"),
          Map.entry("serverUrl", "url"),
          Map.entry("httpUrl", "url"),
          Map.entry("uri", "url"),
          Map.entry("headers", "headers"),
          Map.entry("http_headers", "headers"),
          Map.entry("env_http_headers", "env_http_headers"),
          Map.entry("bearer_token_env_var", "bearer_env"),
          Map.entry("includeTools", "include"),
          Map.entry("enabled_tools", "include"),
          Map.entry("excludeTools", "exclude"),
          Map.entry("disabledTools", "exclude"),
          Map.entry("disabled_tools", "exclude"),
          Map.entry("tool_timeout_sec", "timeout"));

  /// Words that say nothing that is needed here.
  private static final Set<String> NEEDLESS =
      Set.of("type", "transport", "source", "name", "disabled", "enabled", "description", "id");

  private static final Set<String> TABLES = Set.of("env", "headers", "env_http_headers");
  private static final Set<String> LISTS = Set.of("args", "env_vars", "include", "exclude");

  private static final Pattern VARIABLE =
      Pattern.compile(
          "\\$\\{\\{\\s*([^{}]*?)\\s*}}|\\$\\{([^{}]*)}|\\{((?:env|file):[^{}]*)}|^\\$([A-Za-z_][A-Za-z0-9_]*)$");
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*(:-[^{}]*)?");

  private final String name;
  private final Consumer<String> said;

  /// @param said receives sentences about what cannot be converted
  McpServerTable(String name, Consumer<String> said) {
    this.name = name;
    this.said = said;
  }

  ObjectNode of(JsonNode stated) {
    ObjectNode table = Codec.object().put("name", McpImport.name(name));
    add(stated, table);
    for (String nested : List.of("transport", "requestOptions")) {
      if (stated.path(nested).isObject()) {
        add(stated.path(nested), table);
      }
    }
    if (stated
        .path("type")
        .asString(stated.path("transport").path("type").asString(""))
        .equals("sse")) {
      said.accept(
          "'%s' uses the transport of 2024-11-05, which is not spoken here: streamable HTTP is."
              .formatted(name));
    }
    if (hasSecret(table.path("env")) || hasSecret(table.path("headers"))) {
      said.accept(
          "Secrets of '%s' stand in the table: write them as \"${NAME}\", from the environment."
              .formatted(name));
    }
    return table;
  }

  private static boolean hasSecret(JsonNode values) {
    return values.isObject()
        && values
            .propertyStream()
            .anyMatch(member -> {
              String value = member.getValue().asString("");
              return !value.contains("${") && Secrets.isNamed(member.getKey(), value);
            });
  }

  private void add(JsonNode stated, ObjectNode table) {
    for (Map.Entry<String, JsonNode> member : stated.properties()) {
      JsonNode value = member.getValue();
      String key = KEYS.get(member.getKey());
      boolean empty = value.isNull() || value.isContainer() && value.isEmpty();
      if (key != null && !empty && isKept(key, value)) {
        put(key, value, table);
      } else if (key != null && !empty) {
        said.accept(
            "'%s' of '%s' is not kept: it must be %s."
                .formatted(
                    Plain.line(member.getKey()),
                    name,
                    TABLES.contains(key) ? "a table" : "a list"));
      } else if (!empty && !NEEDLESS.contains(member.getKey()) && !isNested(member)) {
        said.accept("'" + Plain.line(member.getKey()) + "' of '" + name + "' is not kept.");
      }
    }
  }

  private static boolean isNested(Map.Entry<String, JsonNode> member) {
    return member.getKey().equals("requestOptions") && member.getValue().isObject();
  }

  /// Whether the value has the type of that key, so that nothing of it is lost.
  private static boolean isKept(String key, JsonNode value) {
    return TABLES.contains(key) ? value.isObject() : !LISTS.contains(key) || value.isArray();
  }

  private void put(String key, JsonNode value, ObjectNode table) {
    switch (key) {
      case "command" -> command(value, table);
      case "args" -> value.forEach(word -> args(table).add(filled(word)));
      case "env", "headers" ->
          value.forEachEntry((name, text) -> named(table, key).put(name, filled(text)));
      case "env_vars" ->
          value.forEach(
              word -> named(table, "env").put(word.asString(""), "${" + word.asString("") + "}"));
      case "env_http_headers" ->
          value.forEachEntry((header, word) ->
              named(table, "headers").put(header, "${" + word.asString("") + "}"));
      case "include", "exclude" -> value.forEach(list(table, key)::add);
      case "timeout" -> table.put(key, value.asString("") + "s");
      case "bearer_env" -> table.put(key, value.asString(""));
      default -> table.put(key, filled(value));
    }
  }

  /// A program, alone or with its arguments, or as an object with both.
  private void command(JsonNode value, ObjectNode table) {
    if (value.isObject()) {
      table.put("command", filled(value.path("path")));
      add(((ObjectNode) value).deepCopy().without("path"), table);
    } else if (value.isArray()) {
      table.put("command", filled(value.get(0)));
      List<String> words = new ArrayList<>();
      value.forEach(word -> words.add(filled(word)));
      words.subList(1, words.size()).forEach(args(table)::add);
      if (args(table).isEmpty()) {
        table.remove("args");
      }
    } else {
      table.put("command", filled(value));
    }
  }

  private static ArrayNode args(ObjectNode table) {
    return list(table, "args");
  }

  private static ArrayNode list(ObjectNode table, String key) {
    return table.get(key) instanceof ArrayNode known ? known : table.putArray(key);
  }

  private static ObjectNode named(ObjectNode table, String key) {
    return table.get(key) instanceof ObjectNode known ? known : table.putObject(key);
  }

  /// The text with its variables in our form, `${NAME}` or `${NAME:-default}`.
  private String filled(JsonNode value) {
    Matcher variable =
        VARIABLE.matcher(value.isContainer() ? value.toString() : value.asString(""));
    StringBuilder out = new StringBuilder();
    while (variable.find()) {
      String word = "";
      for (int group = 1; group <= 4; group++) {
        word = variable.group(group) == null ? word : variable.group(group);
      }
      variable.appendReplacement(out, Matcher.quoteReplacement(variable(word, variable.group())));
    }
    return variable.appendTail(out).toString();
  }

  private String variable(String word, String stated) {
    String own = word.replaceFirst("^(env[:.]|secrets\\.)", "").replaceFirst("^inputs?[:.]", "");
    if (word.equals("workspaceFolder") || word.equals("cwd")) {
      said.accept("'%s' of '%s' is the agent's folder here.".formatted(stated, name));
      return ".";
    }
    if (word.equals("userHome")) {
      return "${HOME}";
    }
    if (PLAIN.matcher(own).matches() && !word.startsWith("input")) {
      return "${" + own + "}";
    }
    String plain = own.replaceAll("[^A-Za-z0-9_]+", "_").toUpperCase(Locale.ROOT);
    String variable = plain.matches("[A-Z_].*") ? plain : "_" + plain;
    said.accept(
        "'%s' of '%s' is the environment variable %s here: set it."
            .formatted(Plain.line(stated), name, variable));
    return "${" + variable + "}";
  }
}
