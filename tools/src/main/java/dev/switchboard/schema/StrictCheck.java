package dev.switchboard.schema;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// The further requirements of strict schemas: every object is closed, every property required.
final class StrictCheck {
  private final String tool;
  private final List<String> sentences = new ArrayList<>();

  private StrictCheck(String tool) {
    this.tool = tool;
  }

  static List<String> faultsOf(String tool, JsonNode parameters) {
    StrictCheck check = new StrictCheck(tool);
    check.schema(parameters, "parameters");
    return check.sentences;
  }

  private void schema(JsonNode schema, String path) {
    if (!schema.isObject()) {
      return;
    }
    if (isObject(schema)) {
      object(schema, path);
    }
    for (String keyword : List.of("properties", "$defs", "definitions")) {
      schema
          .path(keyword)
          .forEachEntry((name, child) -> schema(child, path + "." + keyword + "." + name));
    }
    for (String keyword : List.of("items", "additionalProperties")) {
      schema(schema.path(keyword), path + "." + keyword);
    }
    for (String keyword : List.of("prefixItems", "anyOf", "oneOf", "allOf")) {
      for (int i = 0; i < schema.path(keyword).size(); i++) {
        schema(schema.path(keyword).path(i), path + "." + keyword + "[" + i + "]");
      }
    }
  }

  private static boolean isObject(JsonNode schema) {
    JsonNode type = schema.path("type");
    if (type.isArray()) {
      return type.values().stream().anyMatch(name -> name.asString("").equals("object"));
    }
    return type.isMissingNode() ? schema.has("properties") : type.asString("").equals("object");
  }

  private void object(JsonNode schema, String path) {
    JsonNode additional = schema.path("additionalProperties");
    if (!additional.isBoolean() || additional.booleanValue()) {
      fault("`" + path + "` must set `additionalProperties` to false.");
    }
    Set<String> required = new HashSet<>();
    schema.path("required").forEach(name -> required.add(name.asString("")));
    for (String name : schema.path("properties").propertyNames()) {
      if (!required.contains(name)) {
        fault(
            "`"
                + path
                + "` must list '"
                + name
                + "' in `required` (optional is written as a nullable type).");
      }
    }
  }

  private void fault(String sentence) {
    sentences.add("tool '" + tool + "': strict: " + sentence);
  }
}
