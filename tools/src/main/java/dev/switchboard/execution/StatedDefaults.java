package dev.switchboard.execution;

import dev.switchboard.json.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The defaults that a schema states. Conditions see them for missing members.
///
/// @param root the schema
record StatedDefaults(JsonNode root) {
  private static final String DEFAULT = "default";

  /// The defaults of that schema, null if it states none.
  static @Nullable StatedDefaults of(Json schema) {
    boolean states = schema.text().contains('"' + DEFAULT + '"');
    return states ? new StatedDefaults(schema.tree()) : null;
  }

  /// The arguments with the default of each missing member, also in nested objects.
  Json filledIn(Json arguments) {
    JsonNode whole = arguments.tree().deepCopy();
    fill(root, whole);
    return Json.of(whole);
  }

  private void fill(JsonNode schema, JsonNode value) {
    JsonNode stated = resolved(schema);
    if (value.isArray()) {
      value.forEach(item -> fill(stated.path("items"), item));
    } else if (value instanceof ObjectNode object) {
      fillObject(stated, object);
    }
  }

  private void fillObject(JsonNode stated, ObjectNode object) {
    for (Map.Entry<String, JsonNode> member : stated.path("properties").properties()) {
      JsonNode known = object.get(member.getKey());
      JsonNode missing = resolved(member.getValue()).get(DEFAULT);
      if (known != null) {
        fill(member.getValue(), known);
      } else if (missing != null) {
        object.set(member.getKey(), missing);
      }
    }
  }

  /// The target of a reference within the schema, one step.
  private JsonNode resolved(JsonNode schema) {
    String reference = schema.path("$ref").asString("");
    return reference.startsWith("#/") ? root.at(reference.substring(1)) : schema;
  }
}
