package dev.switchboard.schema;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The one-pass plan of a stated schema that has passed its check.
final class SchemaCompiler {
  private final References references;
  private final IdentityHashMap<JsonNode, ReferenceShape> targets = new IdentityHashMap<>();
  private boolean complete = true;

  private SchemaCompiler(JsonNode root) {
    references = new References(root);
  }

  /// A plan, and whether it covers every keyword of the schema.
  record Plan(Shape shape, boolean complete) {}

  static Plan compile(JsonNode root) {
    SchemaCompiler compiler = new SchemaCompiler(root);
    ReferenceShape itself = new ReferenceShape();
    compiler.targets.put(root, itself);
    compiler.noteUncovered(root, true);
    Shape shape = compiler.objectShape(root);
    itself.set(shape);
    return new Plan(shape, compiler.complete);
  }

  private void noteUncovered(JsonNode schema, boolean root) {
    for (String word : schema.propertyNames()) {
      Keyword keyword = Keyword.of(word);
      boolean covered = keyword == null || keyword.compiled();
      complete &= covered || (root && keyword == Keyword.ID);
    }
  }

  private Shape shape(JsonNode schema) {
    if (!schema.isObject()) {
      return schema.asBoolean(true) ? AnyShape.UNBOUND : NeverShape.INSTANCE;
    }
    noteUncovered(schema, false);
    return objectShape(schema);
  }

  private Shape objectShape(JsonNode schema) {
    List<Shape> parts = new ArrayList<>();
    parts.add(ownShape(schema));
    if (schema.has("$ref")) {
      parts.add(reference(schema.path("$ref").stringValue()));
    }
    schema.path("allOf").forEach(part -> parts.add(shape(part)));
    for (String keyword : List.of("anyOf", "oneOf")) {
      if (schema.has(keyword)) {
        parts.add(union(schema.path(keyword), keyword.equals("oneOf")));
      }
    }
    if (parts.size() > 1) {
      parts.removeIf(AnyShape.UNBOUND::equals);
    }
    return switch (parts.size()) {
      case 0 -> AnyShape.UNBOUND;
      case 1 -> parts.getFirst();
      default -> new AllShape(List.copyOf(parts));
    };
  }

  private Shape reference(String pointer) {
    JsonNode target = Objects.requireNonNull(references.resolve(pointer), pointer);
    ReferenceShape known = targets.get(target);
    if (known != null) {
      return known;
    }
    ReferenceShape reference = new ReferenceShape();
    targets.put(target, reference);
    reference.set(shape(target));
    return reference;
  }

  private Shape union(JsonNode schemas, boolean exactlyOne) {
    List<Shape> alternatives = new ArrayList<>();
    Map<JsonType, Shape> byType = new EnumMap<>(JsonType.class);
    boolean disjoint = true;
    for (JsonNode schema : schemas) {
      Shape alternative = shape(schema);
      alternatives.add(alternative);
      for (JsonType type : SchemaTypes.of(schema, references)) {
        disjoint &= byType.put(type, alternative) == null;
      }
    }
    if (alternatives.size() == 1) {
      return alternatives.getFirst();
    }
    return disjoint
        ? new ByTypeShape(byType)
        : new UnionShape(List.copyOf(alternatives), exactlyOne);
  }

  /// What the schema says by keywords other than those that hold whole schemas for the same value.
  private Shape ownShape(JsonNode schema) {
    Shape typed = byType(schema);
    if (!schema.has("enum") && !schema.has("const")) {
      return typed;
    }
    List<JsonNode> values = new ArrayList<>();
    JsonNode only = schema.get("const");
    if (!schema.has("enum")) {
      values.add(Objects.requireNonNull(only));
    } else {
      schema.path("enum").values().stream()
          .filter(value -> only == null || Equality.same(value, only))
          .forEach(values::add);
    }
    if (values.stream().anyMatch(JsonNode::isContainer)) {
      return typed.equals(AnyShape.UNBOUND)
          ? new ConstantShape(values)
          : new AllShape(List.of(typed, new ConstantShape(values)));
    }
    Faults budget = new Faults();
    values.removeIf(value -> !typed.accepts(value, budget));
    return constants(values);
  }

  private static Shape constants(List<JsonNode> values) {
    if (values.isEmpty() || !values.stream().allMatch(JsonNode::isString)) {
      return new ConstantShape(List.copyOf(values));
    }
    Map<String, Object> names = new LinkedHashMap<>();
    values.forEach(value -> names.put(value.stringValue(), value.stringValue()));
    return new EnumShape(names);
  }

  private Shape byType(JsonNode schema) {
    Set<JsonType> types = SchemaTypes.stated(schema);
    Map<JsonType, Shape> shapes = new EnumMap<>(JsonType.class);
    for (JsonType type : types) {
      shapes.put(type, ofType(schema, type));
    }
    boolean free = shapes.values().stream().allMatch(AnyShape.UNBOUND::equals);
    if (free && types.size() == JsonType.values().length) {
      return AnyShape.UNBOUND;
    }
    if (types.size() != 1) {
      return new ByTypeShape(shapes);
    }
    return shapes.values().iterator().next();
  }

  /// The check of a value of this type. Where the schema names no type, a free one stands for it.
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
              ? string(schema, null)
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
      case NULL -> named ? NullShape.INSTANCE : AnyShape.UNBOUND;
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
    schema.path("properties").forEachEntry((name, child) -> properties.put(name, shape(child)));
    Shape others =
        schema.has("additionalProperties")
            ? shape(schema.path("additionalProperties"))
            : AnyShape.UNBOUND;
    Set<String> required = new HashSet<>();
    for (JsonNode name : schema.path("required")) {
      required.add(name.stringValue());
      properties.putIfAbsent(name.stringValue(), others);
    }
    Cardinality members = count(schema, "minProperties", "maxProperties");
    return ObjectShape.checked(
        properties, required, others == NeverShape.INSTANCE ? null : others, members);
  }

  private Shape array(JsonNode schema) {
    List<Shape> first = new ArrayList<>();
    schema.path("prefixItems").forEach(child -> first.add(shape(child)));
    Shape items = schema.has("items") ? shape(schema.path("items")) : AnyShape.UNBOUND;
    boolean unique = schema.path("uniqueItems").asBoolean(false);
    return new ArrayShape(
        List.copyOf(first), items, count(schema, "minItems", "maxItems"), unique, null);
  }

  /// The check of a string, with what a typed tool gets.
  static StringShape string(JsonNode schema, @Nullable TextType type) {
    List<Regex> patterns =
        schema.has("pattern") ? List.of(Regex.of(schema.path("pattern").stringValue())) : List.of();
    TextFormat format = TextFormat.of(schema.path("format").asString(""));
    return new StringShape(count(schema, "minLength", "maxLength"), patterns, format, type);
  }

  private static Shape number(JsonNode schema) {
    Set<String> names = SchemaTypes.names(schema);
    Limits limits = Limits.of(schema);
    return names.contains("integer") && !names.contains("number")
        ? new IntegerShape(limits, IntegerShape.Kind.NONE)
        : new NumberShape(limits, NumberShape.Kind.NONE);
  }

  static Cardinality count(JsonNode schema, String least, String most) {
    boolean any = !schema.has(least) && !schema.has(most);
    return any
        ? Cardinality.ANY
        : new Cardinality(count(schema, least, 0), count(schema, most, Integer.MAX_VALUE));
  }

  private static int count(JsonNode schema, String keyword, int otherwise) {
    JsonNode value = schema.get(keyword);
    if (value == null) {
      return otherwise;
    }
    return value.decimalValue().min(BigDecimal.valueOf(Integer.MAX_VALUE)).intValue();
  }
}
