package dev.switchboard.check;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/// The checks of types, constants, limits, members and items of a stated schema.
final class OwnShapes {
  private final SchemaCompiler compiler;
  private final Consumer<JsonNode> withoutValue;

  /// @param withoutValue gets each schema whose `enum` has no value that fits the rest
  OwnShapes(SchemaCompiler compiler, Consumer<JsonNode> withoutValue) {
    this.compiler = compiler;
    this.withoutValue = withoutValue;
  }

  /// The shape by all keywords except those with whole schemas for the same value.
  ///
  /// @param stated the schema as it is stated
  Shape of(JsonNode schema, JsonNode stated) {
    Shape typed = byType(schema);
    if (!schema.has("enum") && !schema.has("const")) {
      return typed;
    }
    List<JsonNode> values = new ArrayList<>();
    JsonNode only = schema.get("const");
    if (!schema.has("enum")) {
      values.add(Objects.requireNonNull(only));
    } else {
      String key = only == null ? "" : Equality.key(only);
      schema.path("enum").values().stream()
          .filter(value -> only == null || Equality.key(value).equals(key))
          .forEach(values::add);
    }
    if (values.stream().anyMatch(JsonNode::isContainer)) {
      Set<JsonType> possible = SchemaTypes.stated(schema);
      if (values.stream().noneMatch(value -> possible.contains(JsonType.of(value)))
          && schema.has("enum")) {
        withoutValue.accept(stated);
      }
      return AnyShape.isUnbound(typed)
          ? new ConstantShape(values)
          : new AllShape(List.of(typed, new ConstantShape(values)));
    }
    Faults budget = new Faults(Long.MAX_VALUE);
    values.removeIf(value -> !typed.accepts(value, budget));
    if (values.isEmpty() && schema.has("enum")) {
      withoutValue.accept(stated);
    }
    return constants(values);
  }

  private static Shape constants(List<JsonNode> values) {
    if (values.isEmpty() || !values.stream().allMatch(JsonNode::isString)) {
      return new ConstantShape(values);
    }
    return EnumShape.of(values.stream().map(JsonNode::stringValue).toList());
  }

  private Shape byType(JsonNode schema) {
    Set<JsonType> types = SchemaTypes.stated(schema);
    Map<JsonType, Shape> shapes = new EnumMap<>(JsonType.class);
    for (JsonType type : types) {
      shapes.put(type, ofType(schema, type));
    }
    boolean free = shapes.values().stream().allMatch(AnyShape::isUnbound);
    if (free && types.size() == JsonType.values().length) {
      return AnyShape.UNBOUND;
    }
    if (types.size() != 1) {
      return new ByTypeShape(shapes);
    }
    return shapes.values().iterator().next();
  }

  /// The shape of a value of this type; any if the schema states no type.
  private Shape ofType(JsonNode schema, JsonType type) {
    boolean named = schema.has("type");
    return switch (type) {
      case OBJECT ->
          named
                  || hasAny(
                      schema,
                      "properties",
                      "required",
                      "additionalProperties",
                      "minProperties",
                      "maxProperties")
              ? object(schema)
              : AnyShape.UNBOUND;
      case ARRAY ->
          named || hasAny(schema, "items", "prefixItems", "minItems", "maxItems", "uniqueItems")
              ? array(schema)
              : AnyShape.UNBOUND;
      case STRING ->
          named || hasAny(schema, "minLength", "maxLength", "pattern", "format")
              ? StringShape.stated(schema)
              : AnyShape.UNBOUND;
      case NUMBER ->
          named
                  || hasAny(
                      schema,
                      "minimum",
                      "maximum",
                      "exclusiveMinimum",
                      "exclusiveMaximum",
                      "multipleOf")
              ? number(schema)
              : AnyShape.UNBOUND;
      case BOOLEAN -> named ? BooleanShape.INSTANCE : AnyShape.UNBOUND;
      case NULL -> named ? ConstantShape.NULL : AnyShape.UNBOUND;
    };
  }

  private static boolean hasAny(JsonNode schema, String... keywords) {
    for (String keyword : keywords) {
      if (schema.has(keyword)) {
        return true;
      }
    }
    return false;
  }

  private Shape object(JsonNode schema) {
    Map<String, Shape> properties = new LinkedHashMap<>();
    schema
        .path("properties")
        .forEachEntry((name, child) -> properties.put(name, compiler.shape(child)));
    // MembersShape knows which members match a pattern: those are not additional.
    Shape others = schema.has("patternProperties") ? AnyShape.UNBOUND : compiler.others(schema);
    Set<String> required = new HashSet<>();
    for (JsonNode name : schema.path("required")) {
      required.add(name.stringValue());
      properties.putIfAbsent(name.stringValue(), others == null ? NeverShape.INSTANCE : others);
    }
    Cardinality members = Cardinality.of(schema, "minProperties", "maxProperties");
    return ObjectShape.checked(properties, required, others, members);
  }

  private Shape array(JsonNode schema) {
    List<Shape> first = new ArrayList<>();
    schema.path("prefixItems").forEach(child -> first.add(compiler.shape(child)));
    Shape items = schema.has("items") ? compiler.shape(schema.path("items")) : AnyShape.UNBOUND;
    boolean unique = schema.path("uniqueItems").asBoolean(false);
    return new ArrayShape(
        List.copyOf(first), items, Cardinality.of(schema, "minItems", "maxItems"), unique, null);
  }

  private static Shape number(JsonNode schema) {
    Set<String> names = SchemaTypes.names(schema);
    Limits limits = Limits.of(schema);
    return names.contains("integer") && !names.contains("number")
        ? new IntegerShape(limits, IntegerShape.Kind.NONE)
        : new NumberShape(limits, NumberShape.Kind.NONE);
  }
}
