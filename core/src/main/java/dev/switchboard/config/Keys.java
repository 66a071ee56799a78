package dev.switchboard.config;

import java.util.List;

/// Every key that a file may hold, by the table it stands in.
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
  MODEL("agent.model", "provider", "name", "base_url", "api_key_env"),
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
}
