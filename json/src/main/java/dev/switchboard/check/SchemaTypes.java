package dev.switchboard.check;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// The types in a schema.
final class SchemaTypes {
  /// The words for types.
  static final List<String> WORDS =
      List.of("object", "array", "string", "integer", "number", "boolean", "null");

  /// Names of types in other languages.
  private static final Map<String, String> OTHER_WORDS =
      Map.ofEntries(
          Map.entry("float", "number"),
          Map.entry("double", "number"),
          Map.entry("decimal", "number"),
          Map.entry("long", "integer"),
          Map.entry("dict", "object"),
          Map.entry("map", "object"),
          Map.entry("struct", "object"),
          Map.entry("record", "object"),
          Map.entry("list", "array"),
          Map.entry("tuple", "array"),
          Map.entry("set", "array"),
          Map.entry("str", "string"),
          Map.entry("text", "string"),
          Map.entry("char", "string"),
          Map.entry("bool", "boolean"),
          Map.entry("none", "null"));

  private static final int MOST_REFERENCES = 20;

  private final References references;
  private final Map<JsonNode, Set<JsonType>> known = new IdentityHashMap<>();

  SchemaTypes(References references) {
    this.references = references;
  }

  /// The types of values that can match the schema, by its own keywords.
  Set<JsonType> of(JsonNode schema) {
    return of(schema, 0);
  }

  private Set<JsonType> of(JsonNode schema, int depth) {
    if (!schema.isObject()) {
      return SchemaCompiler.isNever(schema)
          ? EnumSet.noneOf(JsonType.class)
          : EnumSet.allOf(JsonType.class);
    }
    Set<JsonType> types = known.get(schema);
    if (types == null) {
      types = own(references.words(schema));
      JsonNode target = references.target(schema);
      if (target != null && depth < MOST_REFERENCES) {
        types.retainAll(of(target, depth + 1));
      }
      if (references.words(schema).has(Dialect.NULLABLE)) {
        types.add(JsonType.NULL);
      }
      known.put(schema, types);
    }
    return types;
  }

  private static Set<JsonType> own(JsonNode schema) {
    Set<JsonType> types = stated(schema);
    if (schema.has("enum")) {
      Set<JsonType> listed = EnumSet.noneOf(JsonType.class);
      schema.path("enum").forEach(value -> listed.add(Objects.requireNonNull(JsonType.of(value))));
      types.retainAll(listed);
    }
    if (schema.has("const")) {
      types.retainAll(EnumSet.of(Objects.requireNonNull(JsonType.of(schema.path("const")))));
    }
    return types;
  }

  static Set<JsonType> stated(JsonNode schema) {
    Set<String> names = names(schema);
    if (names.isEmpty()) {
      return EnumSet.allOf(JsonType.class);
    }
    Set<JsonType> types = EnumSet.noneOf(JsonType.class);
    for (JsonType type : JsonType.values()) {
      if (names.contains(type.name().toLowerCase(Locale.ROOT))
          || (type == JsonType.NUMBER && names.contains("integer"))) {
        types.add(type);
      }
    }
    return types;
  }

  static Set<String> names(JsonNode schema) {
    JsonNode type = schema.path("type");
    Set<String> names = new HashSet<>();
    if (type.isString()) {
      names.add(type.stringValue());
    } else {
      type.forEach(name -> names.add(name.stringValue()));
    }
    return names;
  }

  /// A suggestion for a word that is not a type, as the end of a sentence.
  static String remedy(String word) {
    String other = OTHER_WORDS.get(word.toLowerCase(Locale.ROOT));
    if (other != null) {
      return " (did you mean '" + other + "'?)";
    }
    if (word.equalsIgnoreCase("any")) {
      return " (leave it out for any value)";
    }
    String hint = Closest.hint(word, WORDS);
    return hint.isEmpty() ? " (one of " + String.join(", ", WORDS) + ")" : hint;
  }
}
