package dev.switchboard.check;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// The types that a schema names.
final class SchemaTypes {
  private static final int MOST_REFERENCES = 20;

  private final References references;
  private final Map<JsonNode, Set<JsonType>> known = new IdentityHashMap<>();

  SchemaTypes(References references) {
    this.references = references;
  }

  /// The types of the values that can meet the schema, as far as it says so itself.
  Set<JsonType> of(JsonNode schema) {
    return of(schema, 0);
  }

  private Set<JsonType> of(JsonNode schema, int depth) {
    if (!schema.isObject()) {
      return schema.asBoolean(true)
          ? EnumSet.allOf(JsonType.class)
          : EnumSet.noneOf(JsonType.class);
    }
    Set<JsonType> types = known.get(schema);
    if (types == null) {
      types = own(schema);
      JsonNode target = references.target(schema);
      if (target != null && depth < MOST_REFERENCES) {
        types.retainAll(of(target, depth + 1));
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
}
