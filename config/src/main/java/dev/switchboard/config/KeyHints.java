package dev.switchboard.config;

import static java.util.Map.entry;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Suggestions for a mistyped or misplaced key, as the end of a sentence.
final class KeyHints {
  /// The names of keys in other systems, and their equivalents here.
  private static final Map<String, List<String>> SYNONYMS =
      Map.ofEntries(
          entry("prompt", List.of("system_prompt")),
          entry("instructions", List.of("system_prompt")),
          entry("system", List.of("system_prompt")),
          entry("system_message", List.of("system_prompt")),
          entry("greeting", List.of("first_message")),
          entry("url", List.of("webhook_url", "base_url")),
          entry("uri", List.of("webhook_url", "base_url", "url")),
          entry("endpoint", List.of("webhook_url", "base_url", "url")),
          entry("webhook", List.of("webhook_url")),
          entry("env", List.of("secret_env", "api_key_env")),
          entry("api_key", List.of("api_key_env")),
          entry("key_env", List.of("api_key_env")),
          entry("secret", List.of("secret_env")),
          entry("path", List.of("url", "parameters_file")),
          entry("file", List.of("url", "parameters_file")),
          entry("schema", List.of("parameters")),
          entry("input_schema", List.of("parameters")),
          entry("schema_file", List.of("parameters_file")),
          entry("max_iterations", List.of("iterations")),
          entry("max_turns", List.of("iterations")),
          entry("retries", List.of("max_retries")),
          entry("fallback", List.of("default")),
          entry("otherwise", List.of("default")),
          entry("fallbacks", List.of("fallback")),
          entry("response_format", List.of("reply")),
          entry("output_schema", List.of("reply")),
          entry("thinking", List.of("reasoning")),
          entry("effort", List.of("reasoning")),
          entry("reasoning_effort", List.of("reasoning")),
          entry("limit", List.of("char_limit")),
          entry("max_chars", List.of("char_limit")),
          entry("max_steps", List.of("iterations")),
          entry("max_completion_tokens", List.of("max_tokens")),
          entry("tool", List.of("tool_name")),
          entry("type", List.of("rule_type")));

  /// Keys of other files, and what to do with them.
  private static final Map<String, String> ELSEWHERE =
      Map.of(
          "server", "; it belongs to the file of 'switchboard serve --config'",
          "mcpServers", "; 'switchboard tool import mcp FILE' makes [[agent.mcp]] of it",
          "mcp_servers", "; 'switchboard tool import mcp FILE' makes [[agent.mcp]] of it",
          "servers", "; 'switchboard tool import mcp FILE' makes [[agent.mcp]] of it");

  /// Keys of the agent that other tables use too, with another meaning.
  private static final List<String> COMMON = List.of("name", "tools");

  private KeyHints() {}

  /// The suggestion for an unknown key.
  ///
  /// @param table the record that the table with the key is bound to
  /// @param path of the table, as people read it
  static String unknown(String key, Class<?> table, String path) {
    List<String> keys = Binder.keys(table);
    String here = synonym(key, keys);
    if (here != null) {
      return Hints.question(here);
    }
    if (table == AgentToml.Model.class) {
      String hint = Hints.closest(key, keys);
      return hint.isEmpty() ? "; what the provider knows by it goes into its 'options'" : hint;
    }
    boolean ofAgent = table == AgentToml.Agent.class;
    boolean ofFile = table == AgentToml.class;
    if (ofAgent || ofFile) {
      String elsewhere = ELSEWHERE.get(key);
      if (elsewhere != null) {
        return elsewhere;
      }
      String limit = ofLimits(key);
      if (limit != null) {
        return limit;
      }
    }
    if (ofAgent && Binder.keys(AgentToml.Model.class).contains(key)) {
      return "; it belongs to agent.model: put it into the table of 'model'";
    }
    List<String> agents = Binder.keys(AgentToml.Agent.class);
    String meant = agents.contains(key) ? key : synonym(key, agents);
    boolean ofRule = path.contains(".rule_type");
    if (meant == null || ofAgent || ofRule || !ofFile && COMMON.contains(key)) {
      return Hints.closest(key, keys);
    }
    String as = meant.equals(key) ? "" : " as '" + meant + "'";
    return "; it belongs to [agent]"
        + as
        + ": put it "
        + (ofFile ? "below that line" : above(path));
  }

  private static @Nullable String ofLimits(String key) {
    List<String> keys = Binder.keys(AgentToml.Limits.class);
    String meant = keys.contains(key) ? key : synonym(key, keys);
    if (meant == null) {
      return null;
    }
    String as = meant.equals(key) ? "" : " as '" + meant + "'";
    return "; it belongs to [agent.limits]" + as;
  }

  private static @Nullable String synonym(String key, List<String> keys) {
    return SYNONYMS.getOrDefault(key, List.of()).stream()
        .filter(keys::contains)
        .findFirst()
        .orElse(null);
  }

  /// Where a key of the agent belongs that is in the table of that path.
  private static String above(String path) {
    int list = path.indexOf('[');
    return list < 0
        ? "above [" + path + "]"
        : "above the first [[" + path.substring(0, list) + "]]";
  }
}
