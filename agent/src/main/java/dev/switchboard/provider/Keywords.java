package dev.switchboard.provider;

import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// The keywords of JSON Schema that a provider supports for structured replies.
public final class Keywords {
  private static final Set<String> FORMATS =
      Set.of("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid");

  private final Set<String> known;

  private Keywords(Set<String> known) {
    this.known = known;
  }

  /// A set of these keywords.
  public static Keywords of(String... known) {
    return new Keywords(Set.of(known));
  }

  /// Whether a schema and its subschemas have no others, and only formats that all providers
  /// support.
  public boolean hold(JsonNode schema) {
    if (!schema.isObject()) {
      return schema.isBoolean();
    }
    for (String keyword : schema.propertyNames()) {
      if (!known.contains(keyword) || !holdIn(keyword, schema.path(keyword))) {
        return false;
      }
    }
    return true;
  }

  private boolean holdIn(String keyword, JsonNode value) {
    return switch (keyword) {
      case "properties", "$defs" -> value.values().stream().allMatch(this::hold);
      case "anyOf", "allOf" -> value.valueStream().allMatch(this::hold);
      case "items", "additionalProperties" -> hold(value);
      case "format" -> FORMATS.contains(value.asString(""));
      default -> true;
    };
  }

  /// Whether every object in a schema is closed.
  public static boolean allClosed(JsonNode schema) {
    boolean isObject =
        schema.has("properties") || schema.path("type").toString().contains("object");
    JsonNode more = schema.path("additionalProperties");
    if (isObject && !(more.isBoolean() && !more.booleanValue())) {
      return false;
    }
    return schema.path("properties").values().stream().allMatch(Keywords::allClosed)
        && schema.path("$defs").values().stream().allMatch(Keywords::allClosed)
        && schema.path("anyOf").valueStream().allMatch(Keywords::allClosed)
        && (!schema.has("items") || allClosed(schema.path("items")));
  }

  /// Whether a definition of the schema refers to itself, or to one that does not exist.
  public static boolean recursive(JsonNode schema) {
    return new Recursion(schema, new HashSet<>(), new HashSet<>()).in(schema);
  }

  /// @param within the definitions that contain the current place
  /// @param done the definitions that were checked
  private record Recursion(JsonNode root, Set<String> within, Set<String> done) {
    boolean in(JsonNode at) {
      String target = at.path("$ref").asString("");
      if (!target.isEmpty()) {
        return leadsBack(target);
      }
      if (at.isArray()) {
        return at.valueStream().anyMatch(this::in);
      }
      return at.isObject() && at.values().stream().anyMatch(this::in);
    }

    private boolean leadsBack(String target) {
      if (done.contains(target)) {
        return false;
      }
      if (!target.startsWith("#/") || !within.add(target)) {
        return true;
      }
      boolean found = in(root.at(target.substring(1)));
      within.remove(target);
      done.add(target);
      return found;
    }
  }
}
