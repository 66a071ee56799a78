package dev.switchboard.config;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// The environment variables that a file of an agent names as holding secrets: by a key that ends
/// in `_env`, or in headers.
final class SecretNames {
  /// Where the keys of models are by default.
  private static final List<String> USUAL =
      List.of("ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GROQ_API_KEY", "OPENAI_API_KEY");

  private final Set<String> names = new LinkedHashSet<>();

  private SecretNames() {}

  static List<String> of(JsonNode file) {
    SecretNames found = new SecretNames();
    found.names.addAll(USUAL);
    found.collect(file, false);
    return List.copyOf(found.names);
  }

  private void collect(JsonNode node, boolean inHeaders) {
    for (var member : node.properties()) {
      JsonNode value = member.getValue();
      if (member.getKey().endsWith("_env") && value.isString()) {
        names.add(value.stringValue());
      }
      collect(value, inHeaders || member.getKey().equals("headers"));
    }
    if (node.isArray()) {
      node.forEach(child -> collect(child, inHeaders));
    }
    if (inHeaders && node.isString()) {
      names.addAll(Environment.names(node.stringValue()));
    }
  }
}
