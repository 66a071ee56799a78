package dev.switchboard.ruling;

import dev.switchboard.check.References;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// The arguments that a tool's parameters name, also in alternatives.
final class ArgumentNames {
  private static final List<String> PARTS = List.of("oneOf", "anyOf", "allOf");

  private final References references;
  private final Set<String> names = new LinkedHashSet<>();
  private final Set<JsonNode> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  private ArgumentNames(JsonNode root) {
    references = new References(root);
  }

  static Set<String> of(JsonNode parameters) {
    ArgumentNames walk = new ArgumentNames(parameters);
    walk.collect(parameters);
    return walk.names;
  }

  private void collect(JsonNode schema) {
    if (!seen.add(schema)) {
      return;
    }
    schema.path("properties").forEachEntry((name, value) -> names.add(name));
    PARTS.forEach(part -> schema.path(part).forEach(this::collect));
    JsonNode target = references.target(schema);
    if (target != null) {
      collect(target);
    }
  }
}
