package dev.switchboard.openapi;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Converts keywords of a schema that depend on several keywords of the document to 2020-12.
final class Settled {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private Settled() {}

  /// Required members without `readOnly` ones; a member that only another part defines may have any
  /// value.
  static void required(JsonNode schema, Set<String> dropped, ObjectNode out) {
    Set<String> required = new LinkedHashSet<>();
    if (schema.path("required").isArray()) {
      schema.path("required").forEach(name -> required.add(name.asString("")));
    }
    required.removeAll(dropped);
    if (required.isEmpty()) {
      out.remove("required");
      return;
    }
    ArrayNode names = out.putArray("required");
    required.forEach(names::add);
    if (out.path("properties") instanceof ObjectNode properties) {
      required.forEach(name -> properties.putIfAbsent(name, NODES.objectNode()));
    }
  }

  /// Converts `exclusiveMinimum`, which is a boolean in 3.0 and modifies `minimum`.
  static void limits(JsonNode schema, ObjectNode out) {
    for (String end : List.of("Minimum", "Maximum")) {
      JsonNode exclusive = schema.path("exclusive" + end);
      String inclusive = end.toLowerCase(Locale.ROOT);
      if (exclusive.isNumber()) {
        out.set("exclusive" + end, exclusive);
      } else if (exclusive.asBoolean(false) && out.has(inclusive)) {
        out.set("exclusive" + end, out.remove(inclusive));
      }
    }
  }

  /// The type and values, with null for `nullable` of 3.0.
  static void type(JsonNode schema, ObjectNode out) {
    JsonNode type = schema.path("type");
    boolean nullable = schema.path("nullable").asBoolean(false);
    if (schema.has("enum")) {
      out.set("enum", values(schema.path("enum"), type, nullable));
    }
    if (!nullable) {
      return;
    }
    if (type.isString()) {
      out.putArray("type").add(type).add("null");
    } else if (type.isArray()) {
      Set<JsonNode> types = new LinkedHashSet<>(type.values());
      types.add(NODES.stringNode("null"));
      out.putArray("type").addAll(types);
    } else if (out.has("$ref") || out.has("anyOf") || out.has("allOf")) {
      ObjectNode either = NODES.objectNode();
      for (String word : List.of("$ref", "anyOf", "allOf")) {
        if (out.has(word)) {
          either.set(word, out.remove(word));
        }
      }
      out.putArray("anyOf").add(either).add(NODES.objectNode().put("type", "null"));
    }
  }

  /// The values of an enum, each once; those of a string are strings, even if YAML reads them as
  /// other types.
  private static JsonNode values(JsonNode stated, JsonNode type, boolean nullable) {
    boolean text = type.isString() && type.stringValue().equals("string");
    Set<JsonNode> values = new LinkedHashSet<>();
    for (JsonNode value : stated) {
      values.add(
          text && value.isValueNode() && !value.isNull()
              ? NODES.stringNode(value.asString())
              : value);
    }
    if (nullable) {
      values.add(NODES.nullNode());
    }
    ArrayNode out = NODES.arrayNode();
    values.forEach(out::add);
    return out;
  }
}
