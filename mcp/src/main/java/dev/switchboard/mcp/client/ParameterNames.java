package dev.switchboard.mcp.client;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.schema.ToolNames;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The names of a tool's parameters: those that model APIs do not accept have others here, and tell
/// the model their own.
///
/// @param schema with our names
/// @param originals the server's names by ours, only of changed ones
record ParameterNames(Json schema, Map<String, String> originals) {
  private static final Pattern ACCEPTED = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
  private static final Pattern STRANGE = Pattern.compile("[^A-Za-z0-9_.-]+");
  private static final Pattern EDGES = Pattern.compile("^_+|_+$");
  private static final int LONGEST = 50;
  private static final int MOST_NUMBERS = 50;

  /// The names of those parameters.
  static ParameterNames of(Json parameters) {
    JsonNode stated = parameters.tree();
    Set<String> taken = new HashSet<>(stated.path("properties").propertyNames());
    Map<String, String> ours = new LinkedHashMap<>();
    for (String name : stated.path("properties").propertyNames()) {
      if (!ACCEPTED.matcher(name).matches()) {
        ours.put(name, distinct(name, taken));
      }
    }
    if (ours.isEmpty()) {
      return new ParameterNames(parameters, Map.of());
    }
    Map<String, String> originals = new LinkedHashMap<>();
    ours.forEach((name, other) -> originals.put(other, name));
    return new ParameterNames(Json.of(renamed((ObjectNode) stated, ours)), originals);
  }

  private static String distinct(String name, Set<String> taken) {
    String plain = EDGES.matcher(STRANGE.matcher(name).replaceAll("_")).replaceAll("");
    String base = plain.isEmpty() ? "argument" : plain;
    String cut = base.substring(0, Math.min(base.length(), LONGEST));
    String unlike = cut;
    for (int i = 2; !taken.add(unlike); i++) {
      // Very many names may become one.
      unlike = cut + "_" + (i < MOST_NUMBERS ? i : Json.text(name + i).digest().substring(0, 8));
    }
    return unlike;
  }

  private static ObjectNode renamed(ObjectNode stated, Map<String, String> ours) {
    ObjectNode schema = stated.objectNode().setAll(stated);
    ObjectNode properties = schema.putObject("properties");
    stated
        .path("properties")
        .forEachEntry((name, property) -> {
          String other = ours.getOrDefault(name, name);
          properties.set(other, other.equals(name) ? property : told(property, name));
        });
    if (stated.path("required").isArray()) {
      schema.set("required", names(stated.path("required"), ours));
    }
    for (String word : new String[] {"dependentRequired", "dependentSchemas", "dependencies"}) {
      if (stated.path(word).isObject()) {
        ObjectNode entries = schema.putObject(word);
        stated
            .path(word)
            .forEachEntry((name, value) ->
                entries.set(
                    ours.getOrDefault(name, name), value.isArray() ? names(value, ours) : value));
      }
    }
    return schema;
  }

  private static ArrayNode names(JsonNode names, Map<String, String> ours) {
    ArrayNode all = Codec.object().arrayNode();
    names.forEach(name -> all.add(ours.getOrDefault(name.asString(""), name.asString(""))));
    return all;
  }

  private static JsonNode told(JsonNode property, String name) {
    if (!(property instanceof ObjectNode stated)) {
      return property;
    }
    String known = stated.path("description").asString("");
    String told = ToolNames.told(known, name, stated.path("title").asString(""));
    return stated.deepCopy().put("description", told);
  }

  /// Arguments with the server's names.
  JsonNode original(JsonNode arguments) {
    if (originals.isEmpty()) {
      return arguments;
    }
    ObjectNode out = Codec.object();
    arguments.forEachEntry((name, value) -> out.set(originals.getOrDefault(name, name), value));
    return out;
  }
}
