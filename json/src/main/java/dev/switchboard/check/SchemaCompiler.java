package dev.switchboard.check;

import dev.switchboard.check.UnevaluatedShape.Part;
import dev.switchboard.check.UnevaluatedShape.Spoken;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Compiles a checked schema to a shape.
final class SchemaCompiler {
  private static final int MOST_SCOPES = 100;
  private static final int LONGEST_WORDS = 120;

  /// The targets of `$dynamicRef` on the path to a part of the schema, and the shapes compiled
  /// there.
  private static final class Scope {
    private final Map<String, JsonNode> anchors;
    private final Map<JsonNode, ReferenceShape> targets = new IdentityHashMap<>();
    private final Map<JsonNode, Shape> shapes = new IdentityHashMap<>();
    private final Map<JsonNode, Spoken> spoken = new IdentityHashMap<>();

    private Scope(Map<String, JsonNode> anchors) {
      this.anchors = anchors;
    }
  }

  /// A target of references to compile; queued, since chains may be long.
  private record Pending(JsonNode target, Scope scope, ReferenceShape shape) {}

  private final References references;
  private final Predicate<JsonNode> exact;
  private final SchemaTypes types;
  private final Map<List<Object>, Scope> scopes = new HashMap<>();
  private final ArrayDeque<Pending> pending = new ArrayDeque<>();
  private final OwnShapes own;
  private Scope scope = new Scope(Map.of());

  private SchemaCompiler(
      References references, Predicate<JsonNode> exact, Consumer<JsonNode> withoutValue) {
    own = new OwnShapes(this, withoutValue);
    this.references = references;
    this.exact = exact;
    types = new SchemaTypes(references);
  }

  /// The shape of the values that match the schema.
  ///
  /// @param exact whether everything below a part of the schema is checked
  /// @param withoutValue gets each schema whose `enum` has no value that fits the rest
  /// @throws IllegalArgumentException for a schema with too many paths to its parts
  static Shape compile(
      JsonNode root,
      References references,
      Predicate<JsonNode> exact,
      Consumer<JsonNode> withoutValue) {
    SchemaCompiler compiler = new SchemaCompiler(references, exact, withoutValue);
    ReferenceShape itself = compiler.reference(root);
    while (!compiler.pending.isEmpty()) {
      Pending next = compiler.pending.remove();
      compiler.scope = next.scope;
      next.shape.set(compiler.shape(next.target));
    }
    return itself.target();
  }

  Shape shape(JsonNode schema) {
    if (!schema.isObject()) {
      return isNever(schema) ? NeverShape.INSTANCE : AnyShape.UNBOUND;
    }
    Scope before = scope;
    scope = entered(schema);
    Shape shape = scope.shapes.get(schema);
    if (shape == null) {
      shape = objectShape(schema);
      scope.shapes.put(schema, shape);
    }
    scope = before;
    return shape;
  }

  /// Whether no value matches a schema that is not an object.
  static boolean isNever(JsonNode schema) {
    return schema.isBoolean() && !schema.booleanValue();
  }

  /// The scope within that part of the schema: the first of equal dynamic anchors counts.
  private Scope entered(JsonNode schema) {
    Map<String, JsonNode> own = references.home(schema).dynamic();
    if (!references.dynamic() || scope.anchors.keySet().containsAll(own.keySet())) {
      return scope;
    }
    Map<String, JsonNode> anchors = new TreeMap<>(own);
    anchors.putAll(scope.anchors);
    List<Object> key = new ArrayList<>(anchors.keySet());
    anchors.values().forEach(node -> key.add(System.identityHashCode(node)));
    if (!scopes.containsKey(key) && scopes.size() == MOST_SCOPES) {
      throw new IllegalArgumentException("its `$dynamicRef`s lead through too many resources");
    }
    return scopes.computeIfAbsent(key, unused -> new Scope(anchors));
  }

  private Shape objectShape(JsonNode schema) {
    JsonNode words = references.words(schema);
    List<Shape> parts = new ArrayList<>();
    parts.add(own.of(words, schema));
    addReferences(schema, parts);
    words.path("allOf").forEach(part -> parts.add(shape(part)));
    if (words.has("anyOf")) {
      parts.add(union(words.path("anyOf"), false));
    }
    if (words.has("oneOf")) {
      parts.add(union(words.path("oneOf"), exact.test(schema)));
    }
    addConditions(words, parts);
    addMembers(words, parts);
    if (words.has("contains")) {
      Cardinality some = Cardinality.of(words, "minContains", "maxContains", 1);
      parts.add(new ContainsShape(shape(words.path("contains")), some));
    }
    if (words.has("unevaluatedProperties") || words.has("unevaluatedItems")) {
      parts.add(
          new UnevaluatedShape(
              spoken(schema, true),
              orNull(words, "unevaluatedProperties"),
              orNull(words, "unevaluatedItems")));
    }
    Shape shape = joined(parts);
    return words.has(Dialect.NULLABLE) ? orNull(shape) : shape;
  }

  private static Shape joined(List<Shape> parts) {
    if (parts.size() > 1) {
      parts.removeIf(AnyShape.UNBOUND::equals);
    }
    return switch (parts.size()) {
      case 0 -> AnyShape.UNBOUND;
      case 1 -> parts.getFirst();
      default -> new AllShape(List.copyOf(parts));
    };
  }

  private static Shape orNull(Shape shape) {
    return UnionShape.of(
        List.of(
            new UnionShape.Alternative(shape, EnumSet.complementOf(EnumSet.of(JsonType.NULL))),
            new UnionShape.Alternative(ConstantShape.NULL, EnumSet.of(JsonType.NULL))),
        false);
  }

  private @Nullable Shape orNull(JsonNode schema, String keyword) {
    return schema.has(keyword) ? shape(schema.path(keyword)) : null;
  }

  private void addReferences(JsonNode schema, List<Shape> parts) {
    JsonNode target = references.target(schema);
    if (target != null) {
      parts.add(reference(target));
    }
    JsonNode way = dynamicTarget(schema);
    if (way != null) {
      parts.add(reference(way));
    }
  }

  private @Nullable JsonNode dynamicTarget(JsonNode schema) {
    JsonNode reference = references.words(schema).path("$dynamicRef");
    if (reference.isMissingNode()) {
      return null;
    }
    String name = references.dynamicName(schema);
    JsonNode first = name == null ? null : scope.anchors.get(name);
    return first == null ? references.located(schema, reference.stringValue()) : first;
  }

  private ReferenceShape reference(JsonNode target) {
    Scope before = scope;
    scope = entered(target);
    ReferenceShape reference = scope.targets.get(target);
    if (reference == null) {
      reference = new ReferenceShape();
      scope.targets.put(target, reference);
      pending.add(new Pending(target, scope, reference));
    }
    scope = before;
    return reference;
  }

  private void addConditions(JsonNode schema, List<Shape> parts) {
    if (schema.has("not")) {
      Shape not = shape(schema.path("not"));
      String words = schema.path("not").toString();
      String shown = words.length() > LONGEST_WORDS ? "its `not`" : words;
      parts.add(new ConditionalShape(not, NeverShape.INSTANCE, AnyShape.UNBOUND, shown));
    }
    if (schema.has("if") && (schema.has("then") || schema.has("else"))) {
      Shape condition = shape(schema.path("if"));
      Shape then = schema.has("then") ? shape(schema.path("then")) : AnyShape.UNBOUND;
      Shape otherwise = schema.has("else") ? shape(schema.path("else")) : AnyShape.UNBOUND;
      parts.add(new ConditionalShape(condition, then, otherwise, null));
    }
  }

  private void addMembers(JsonNode schema, List<Shape> parts) {
    Map<String, List<String>> required = new LinkedHashMap<>();
    Map<String, Shape> schemas = new LinkedHashMap<>();
    for (String keyword : List.of("dependencies", "dependentRequired", "dependentSchemas")) {
      schema
          .path(keyword)
          .forEachEntry((name, value) -> {
            if (value.isArray()) {
              List<String> names = required.computeIfAbsent(name, unused -> new ArrayList<>());
              value.forEach(other -> names.add(other.stringValue()));
            } else {
              schemas.merge(name, shape(value), (one, other) -> new AllShape(List.of(one, other)));
            }
          });
    }
    if (!required.isEmpty()
        || !schemas.isEmpty()
        || schema.has("propertyNames")
        || schema.has("patternProperties")) {
      Shape names = orNull(schema, "propertyNames");
      parts.add(
          new MembersShape(
              AnyShape.UNBOUND.equals(names) ? null : names,
              Set.copyOf(schema.path("properties").propertyNames()),
              patterns(schema),
              schema.has("patternProperties") ? others(schema) : AnyShape.UNBOUND,
              required,
              schemas));
    }
  }

  private List<MembersShape.Pattern> patterns(JsonNode schema) {
    List<MembersShape.Pattern> patterns = new ArrayList<>();
    schema
        .path("patternProperties")
        .forEachEntry(
            (name, child) -> patterns.add(new MembersShape.Pattern(Regex.of(name), shape(child))));
    return List.copyOf(patterns);
  }

  /// The shape of additional members; null if none are allowed.
  @Nullable Shape others(JsonNode schema) {
    Shape others = orNull(schema, "additionalProperties");
    return others == null ? AnyShape.UNBOUND : others == NeverShape.INSTANCE ? null : others;
  }

  /// The evaluated members and items of the schema, for [UnevaluatedShape].
  private Spoken spoken(JsonNode schema, boolean itself) {
    Spoken known = itself ? null : scope.spoken.get(schema);
    if (known != null) {
      return known;
    }
    List<Part> parts = new ArrayList<>();
    JsonNode words = references.words(schema);
    boolean members =
        words.has("additionalProperties") || (!itself && words.has("unevaluatedProperties"));
    boolean items = words.has("items") || (!itself && words.has("unevaluatedItems"));
    Spoken spoken =
        new Spoken(
            Set.copyOf(words.path("properties").propertyNames()),
            patterns(words).stream().map(MembersShape.Pattern::name).toList(),
            members,
            items ? Integer.MAX_VALUE : words.path("prefixItems").size(),
            orNull(words, "contains"),
            parts);
    if (!itself) {
      scope.spoken.put(schema, spoken);
    }
    addParts(schema, parts);
    return spoken;
  }

  private void addParts(JsonNode schema, List<Part> parts) {
    JsonNode target = references.target(schema);
    JsonNode way = dynamicTarget(schema);
    JsonNode words = references.words(schema);
    words.path("allOf").forEach(part -> addPart(parts, null, null, true, part));
    for (JsonNode each : new @Nullable JsonNode[] {target, way}) {
      if (each != null) {
        addPart(parts, null, null, true, each);
      }
    }
    for (String keyword : List.of("anyOf", "oneOf")) {
      words.path(keyword).forEach(part -> addPart(parts, null, shape(part), true, part));
    }
    if (words.has("if")) {
      Shape condition = shape(words.path("if"));
      addPart(parts, null, condition, true, words.path("if"));
      addPart(parts, null, condition, true, words.path("then"));
      addPart(parts, null, condition, false, words.path("else"));
    }
    for (String keyword : List.of("dependentSchemas", "dependencies")) {
      words.path(keyword).forEachEntry((name, part) -> addPart(parts, name, null, true, part));
    }
  }

  private void addPart(
      List<Part> parts,
      @Nullable String present,
      @Nullable Shape condition,
      boolean met,
      JsonNode schema) {
    if (schema.isObject()) {
      Scope before = scope;
      scope = entered(schema);
      parts.add(new Part(present, condition, met, spoken(schema, false)));
      scope = before;
    }
  }

  private Shape union(JsonNode schemas, boolean exactlyOne) {
    List<UnionShape.Alternative> alternatives = new ArrayList<>();
    schemas.forEach(
        each -> alternatives.add(new UnionShape.Alternative(shape(each), types.of(each))));
    return UnionShape.of(alternatives, exactlyOne);
  }
}
