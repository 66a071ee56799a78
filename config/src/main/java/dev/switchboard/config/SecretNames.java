package dev.switchboard.config;

import dev.switchboard.provider.Provider;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// The environment variables that an agent's file uses for secrets: in a key that ends in `_env`,
/// or in headers.
final class SecretNames {
  /// Kept secret without the module `phone` too.
  private static final List<String> TOKENS_OF_CARRIERS = List.of("TWILIO_AUTH_TOKEN");

  private final Set<String> names = new LinkedHashSet<>();

  private SecretNames() {}

  static List<String> of(JsonNode file) {
    SecretNames found = new SecretNames();
    found.names.addAll(Provider.keyVariables());
    found.names.addAll(TOKENS_OF_CARRIERS);
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
