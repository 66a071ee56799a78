package dev.switchboard.consent;

import dev.switchboard.json.Json;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The defaults that a schema states: what a handler may get for a member that is missing, and what
/// a condition has to see then.
final class StatedDefaults {
  private static final String DEFAULT = "default";

  private StatedDefaults() {}

  /// The arguments with the default of each member that is missing, in objects within objects too.
  static Json filledIn(Json schema, Json arguments) {
    if (!schema.text().contains('"' + DEFAULT + '"')) {
      return arguments;
    }
    JsonNode whole = arguments.tree().deepCopy();
    fill(schema.tree(), schema.tree(), whole);
    return Json.of(whole);
  }

  private static void fill(JsonNode root, JsonNode schema, JsonNode value) {
    JsonNode stated = resolved(root, schema);
    if (value.isArray()) {
      value.forEach(item -> fill(root, stated.path("items"), item));
    } else if (value instanceof ObjectNode object) {
      fillObject(root, stated, object);
    }
  }

  private static void fillObject(JsonNode root, JsonNode stated, ObjectNode object) {
    for (Map.Entry<String, JsonNode> member : stated.path("properties").properties()) {
      JsonNode known = object.get(member.getKey());
      JsonNode missing = resolved(root, member.getValue()).get(DEFAULT);
      if (known != null) {
        fill(root, member.getValue(), known);
      } else if (missing != null) {
        object.set(member.getKey(), missing);
      }
    }
  }

  /// The schema that a reference to a part of the same schema leads to, one step far.
  private static JsonNode resolved(JsonNode root, JsonNode schema) {
    String reference = schema.path("$ref").asString("");
    return reference.startsWith("#/") ? root.at(reference.substring(1)) : schema;
  }
}
