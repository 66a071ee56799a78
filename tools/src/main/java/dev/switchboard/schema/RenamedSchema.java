package dev.switchboard.schema;

import dev.switchboard.check.References;
import dev.switchboard.json.Codec;
import dev.switchboard.text.JsonPointer;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A schema with other names of the parameters, for a model to read: in every part that applies to
/// the arguments, and in references to parameters.
final class RenamedSchema {
  /// A renamed schema.
  ///
  /// @param sentence for the description, about the own names, empty for none
  record Renamed(ObjectNode schema, String sentence) {}

  private static final List<String> NAMES =
      List.of("dependentRequired", "dependentSchemas", "dependencies");

  /// The words of a schema of names that lists them.
  private static final Set<String> LISTING =
      Set.of("enum", "const", "type", "title", "description");

  private static final int DEEPEST = 100;
  private static final String WHOLE = "nested_arguments";

  private final ParameterNames names;
  private final References references;

  /// Definitions of which renamed ones are needed too, since others may use the originals.
  private final Map<JsonNode, String> moved = new IdentityHashMap<>();

  private final ObjectNode root;
  private int depth; // of references

  /// What is stated of the own names, and does not hold for ours.
  private final Set<JsonNode> ruled = new LinkedHashSet<>();

  /// Whether the schema is also that of values within the arguments.
  private boolean nests;

  private final ObjectNode definitions = Codec.object();

  private RenamedSchema(ParameterNames names, ObjectNode root) {
    this.names = names;
    this.root = root;
    references = new References(root);
  }

  /// The schema with the names that the model knows.
  static Renamed of(ObjectNode schema, ParameterNames names) {
    RenamedSchema renaming = new RenamedSchema(names, schema);
    renaming.moved.put(schema, "");
    ObjectNode renamed = renaming.part(schema);
    ObjectNode referring = (ObjectNode) Refs.replaced(renamed, renaming::reference);
    if (renaming.nests) {
      renaming.definitions.set(WHOLE, Refs.replaced(renaming.nested(), renaming::reference));
    }
    if (!renaming.definitions.isEmpty()) {
      ObjectNode all = Codec.object();
      referring.path("$defs").forEachEntry(all::set);
      renaming.definitions.forEachEntry(
          (name, part) -> all.set(name, Refs.replaced(part, renaming::reference)));
      referring.set("$defs", all);
    }
    return new Renamed(referring, renaming.sentence());
  }

  private String sentence() {
    return ruled.isEmpty()
        ? ""
        : "The original names of all arguments must match: "
            + FlatSchema.shown(ruled.size() == 1 ? ruled.iterator().next() : all(ruled));
  }

  private static JsonNode all(Set<JsonNode> parts) {
    ObjectNode all = Codec.object();
    all.putArray("allOf").addAll(parts);
    return all;
  }

  /// The schema for values within the arguments that are like the arguments; they have the own
  /// names.
  private ObjectNode nested() {
    return root.deepCopy().without(List.of("$defs", "definitions", "$schema", "$id"));
  }

  private JsonNode renamed(JsonNode schema) {
    return schema instanceof ObjectNode stated ? part(stated) : schema;
  }

  private ObjectNode part(ObjectNode stated) {
    ObjectNode out = Codec.object();
    stated.forEachEntry((word, value) -> {
      if (word.equals("propertyNames") && !isList(value)) {
        ruled.add(value);
      } else {
        out.set(word, keyword(stated, word, value));
      }
    });
    return out;
  }

  private JsonNode keyword(ObjectNode stated, String word, JsonNode value) {
    return switch (word) {
      case "properties" -> properties(value);
      case "required" -> names(value);
      case "dependentRequired", "dependentSchemas", "dependencies" -> entries(value);
      case "allOf", "anyOf", "oneOf" -> list(value);
      case "not", "if", "then", "else" -> renamed(value);
      case "propertyNames" -> namesOfProperties(value);
      case "$ref" -> reference(stated, value);
      default -> value;
    };
  }

  private JsonNode properties(JsonNode value) {
    if (!value.isObject()) {
      return value;
    }
    ObjectNode out = Codec.object();
    value.forEachEntry((name, property) -> {
      String other = names.ours(name);
      out.set(other, other.equals(name) ? property : described(property, name));
    });
    return out;
  }

  private static JsonNode described(JsonNode property, String name) {
    if (!(property instanceof ObjectNode stated)) {
      return property;
    }
    String known = stated.path("description").asString("");
    String description = ToolNames.withOriginalName(known, name, stated.path("title").asString(""));
    return Codec.object().setAll(stated).put("description", description);
  }

  private JsonNode names(JsonNode value) {
    if (!value.isArray()) {
      return value;
    }
    ArrayNode out = Codec.object().arrayNode();
    value.forEach(name -> {
      if (name.isString()) {
        out.add(names.ours(name.stringValue()));
      } else {
        out.add(name);
      }
    });
    return out;
  }

  private JsonNode entries(JsonNode value) {
    if (!value.isObject()) {
      return value;
    }
    ObjectNode out = Codec.object();
    value.forEachEntry((name, entry) ->
        out.set(names.ours(name), entry.isArray() ? names(entry) : renamed(entry)));
    return out;
  }

  private JsonNode list(JsonNode value) {
    if (!value.isArray()) {
      return value;
    }
    ArrayNode out = Codec.object().arrayNode();
    value.forEach(part -> out.add(renamed(part)));
    return out;
  }

  /// Whether that schema of names lists them, so that ours can stand in their places.
  private static boolean isList(JsonNode names) {
    return !names.isObject() || LISTING.containsAll(names.propertyNames());
  }

  private JsonNode namesOfProperties(JsonNode value) {
    if (!(value instanceof ObjectNode stated)) {
      return value;
    }
    ObjectNode out = Codec.object().setAll(stated);
    if (stated.has("enum")) {
      out.set("enum", names(stated.path("enum")));
    }
    if (stated.path("const").isString()) {
      out.put("const", names.ours(stated.path("const").stringValue()));
    }
    return out;
  }

  private JsonNode reference(ObjectNode stated, JsonNode value) {
    if (!(references.target(stated) instanceof ObjectNode target)) {
      return value;
    }
    String known = moved.get(target);
    if (known == null && depth > DEEPEST) {
      return value;
    }
    if (known == null) {
      known = "arguments_" + moved.size();
      while (root.path("$defs").has(known)) {
        known += "_";
      }
      moved.put(target, known);
      depth++;
      ObjectNode other = part(target);
      depth--;
      if (other.equals(target)) {
        moved.put(target, "");
        return value;
      }
      definitions.set(known, other);
    }
    return known.isEmpty() ? value : Codec.object().stringNode("#/$defs/" + known);
  }

  /// The reference by the names that the model knows.
  private String reference(String stated) {
    if (stated.equals("#")) {
      nests = true;
      return "#/$defs/" + WHOLE;
    }
    String[] steps = stated.split("/", 4);
    if (steps.length < 3 || !steps[0].equals("#")) {
      return stated;
    }
    boolean named = steps[1].equals("properties") || NAMES.contains(steps[1]);
    String other = named ? names.ours().get(JsonPointer.name(JsonPointer.decoded(steps[2]))) : null;
    return other == null
        ? stated
        : "#/" + steps[1] + "/" + other + (steps.length == 4 ? "/" + steps[3] : "");
  }
}
