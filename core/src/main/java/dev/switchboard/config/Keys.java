package dev.switchboard.config;

import static java.util.Map.entry;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Every key that a file may hold, by its table.
enum Keys {
  FILE("", "agent", "tools", "network", "storage", "audit"),
  AGENT(
      "agent",
      "name",
      "system_prompt",
      "tools",
      "model",
      "embeddings",
      "limits",
      "first_message",
      "variables",
      "guardrails",
      "pending",
      "expose_errors",
      "defaults",
      "tool_rules",
      "memory"),
  MODEL("agent.model", "provider", "name", "base_url", "api_key_env", "temperature", "max_tokens"),
  EMBEDDINGS("agent.embeddings", "provider", "name", "base_url", "api_key_env", "least_similarity"),
  LIMITS("agent.limits", "iterations", "model_timeout", "consent_timeout", "history"),
  DEFAULTS("agent.defaults", "retry", "breaker"),
  MEMORY(
      "agent.memory.label", "kind", "description", "content", "char_limit", "permission", "pinned"),
  TOOL_RULE(
      "agent.tool_rules", "tool_name", "rule_type", "conditions", "priority", "scope", "metadata"),
  RULE_TYPE("rule_type", "type", "value"),
  START_CONSTRAINT("StartConstraint", "args", "auto"),
  REQUIRES_CONSENT("RequiresConsent", "scope", "when", "bind"),
  TOOL(
      "tools",
      "name",
      "description",
      "webhook_url",
      "handler",
      "parameters",
      "parameters_file",
      "mode",
      "strict",
      "timeout",
      "deadline",
      "retry",
      "breaker",
      "reassurance",
      "response_limit",
      "result_limit",
      "usage_rule",
      "repeat_limit",
      "operation_key",
      "examples",
      "parallel",
      "on_interrupt",
      "repair",
      "headers",
      "secret_env"),
  RETRY("retry", "max_retries", "on", "base", "cap"),
  BREAKER("breaker", "failure_threshold", "cooldown"),
  REASSURANCE("reassurance", "message", "after_ms"),
  NETWORK("network", "allow"),
  STORAGE("storage", "url"),
  AUDIT("audit", "file");

  /// What a key is called elsewhere, and what it may be here.
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
          entry("tool", List.of("tool_name")),
          entry("type", List.of("rule_type")));

  /// Keys of the agent that others use too, for something else.
  private static final List<String> COMMON = List.of("name", "tools");

  private final String table;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> names;

  Keys(String table, String... names) {
    this.table = table;
    this.names = List.of(names);
  }

  /// The table's own name, empty for the file itself.
  String table() {
    return table;
  }

  List<String> names() {
    return names;
  }

  /// What an unknown key of this table may mean, as the end of a sentence.
  ///
  /// @param path of the table, as people read it
  String meant(String key, String path) {
    String here = synonym(key);
    if (here != null) {
      return "; did you mean '" + here + "'?";
    }
    if (this == AGENT && MODEL.names.contains(key)) {
      return "; it belongs to agent.model: put it into the table of 'model'";
    }
    String agents = AGENT.names.contains(key) ? key : AGENT.synonym(key);
    if (agents == null || this == AGENT || this != FILE && COMMON.contains(key)) {
      return Suggestion.of(key, names);
    }
    String as = agents.equals(key) ? "" : " as '" + agents + "'";
    return "; it belongs to [agent]"
        + as
        + ": put it "
        + (this == FILE ? "below that line" : above(path));
  }

  private @Nullable String synonym(String key) {
    return SYNONYMS.getOrDefault(key, List.of()).stream()
        .filter(names::contains)
        .findFirst()
        .orElse(null);
  }

  /// Where a key of the agent belongs that was put into the table of that path.
  private static String above(String path) {
    int list = path.indexOf('[');
    return list < 0
        ? "above [" + path + "]"
        : "above the first [[" + path.substring(0, list) + "]]";
  }
}
