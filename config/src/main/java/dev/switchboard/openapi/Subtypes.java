package dev.switchboard.openapi;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// Which schemas of a document extend which by `allOf`.
final class Subtypes {
  /// Where a document has the schemas that it names.
  static final String COMPONENTS = "#/components/schemas/";

  private static final int MOST = 500;

  /// The names of the direct ones, by the node of what they extend.
  private final Map<JsonNode, List<String>> direct = new IdentityHashMap<>();

  private final JsonNode named;

  Subtypes(OpenApiDocument document) {
    named = document.root().path("components").path("schemas");
    named.forEachEntry((name, schema) -> {
      for (JsonNode part : schema.path("allOf")) {
        JsonNode extended = document.found(part);
        if (part.path("$ref").isString() && extended.isObject()) {
          direct.computeIfAbsent(extended, unused -> new ArrayList<>()).add(name);
        }
      }
    });
  }

  /// The names of the schemas that extend that one, also those that extend another between them.
  List<String> of(JsonNode schema) {
    Set<String> found = new LinkedHashSet<>();
    ArrayDeque<JsonNode> open = new ArrayDeque<>(List.of(schema));
    while (!open.isEmpty() && found.size() < MOST) {
      for (String name : direct.getOrDefault(open.remove(), List.of())) {
        if (found.add(name)) {
          open.add(named.path(name));
        }
      }
    }
    return List.copyOf(found);
  }
}
