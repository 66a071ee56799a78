package dev.switchboard.schema;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedCollection;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The schema and the binding check of a record or a sealed interface, made by reflection once when
/// its tool is built.
final class RecordSchemas {
  private static final String TAG = "type";

  /// A type that is being described, or was found to hold itself.
  private static final class Place {
    private final ReferenceShape shape = new ReferenceShape();
    private final String pointer;
    private boolean recursive;

    private Place(String pointer) {
      this.pointer = pointer;
    }
  }

  private final String tool;
  private final Mode mode;
  private final Map<String, Place> places = new HashMap<>();
  private final ObjectNode definitions = Codec.object();
  private final List<String> sentences = new ArrayList<>();

  private RecordSchemas(String tool, Mode mode) {
    this.tool = tool;
    this.mode = mode;
  }

  /// The schema and check of the type.
  ///
  /// @throws ToolSchemaException with a sentence for each component that has no schema
  static Typed of(String tool, Class<?> type, Mode mode) {
    RecordSchemas schemas = new RecordSchemas(tool, mode);
    Typed root = schemas.root(type);
    if (!schemas.sentences.isEmpty()) {
      throw new ToolSchemaException(tool, schemas.sentences);
    }
    if (!schemas.definitions.isEmpty()) {
      root.schema().set("$defs", schemas.definitions);
    }
    return root;
  }

  private Typed root(Class<?> type) {
    TypeUse use = TypeUse.of(type);
    if (mode == Mode.OUTPUT && !type.isRecord() && !type.isSealed()) {
      return value(use, Annotations.NONE, type.getSimpleName());
    }
    if (!type.isRecord() && !(type.isSealed() && type.isInterface())) {
      fault(
          "parameters",
          "of " + type.getName() + " must be a record or a sealed interface of records");
      return Typed.anything(TreeBinding.NONE);
    }
    if (type.isSealed() && mode == Mode.STRICT) {
      fault(
          "parameters",
          "of the sealed interface " + type.getName() + " cannot be strict; wrap it in a record");
      return Typed.anything(TreeBinding.NONE);
    }
    Place place = new Place("#");
    places.put(use.key(), place);
    Typed built = type.isRecord() ? object(use, null, "parameters") : union(use, "parameters");
    place.shape.set(built.shape());
    if (type.isSealed()) {
      ObjectNode closed = Codec.object().put("type", "object");
      closed.setAll(built.schema());
      return new Typed(closed, built.shape());
    }
    return built;
  }

  private void fault(String path, String rest) {
    sentences.add("tool '" + tool + "': `" + path + "` " + rest + ".");
  }

  /// The value of a component, an element or a map's value, which may not be null.
  private Typed value(TypeUse use, Annotations annotations, String path) {
    try {
      return valueOrFault(use, annotations, path);
    } catch (IllegalArgumentException e) {
      fault(path, "(" + use.raw().getTypeName() + ") " + e.getMessage());
      return Typed.anything(TreeBinding.NONE);
    }
  }

  private Typed valueOrFault(TypeUse use, Annotations annotations, String path) {
    Class<?> raw = use.raw();
    Constraints constraints = Constraints.of(annotations);
    Typed leaf = LeafSchemas.of(raw, constraints, mode);
    if (leaf != null) {
      return leaf;
    }
    if (raw.isArray()) {
      TypeUse item = use.arguments().isEmpty() ? TypeUse.of(raw.componentType()) : use.argument(0);
      return array(item, false, new Gathering.AsArray(raw.componentType()), constraints, path);
    }
    if (raw == List.class
        || raw == Collection.class
        || raw == SequencedCollection.class
        || raw == Iterable.class) {
      return array(use.argument(0), false, Gathering.AsList.INSTANCE, constraints, path);
    }
    if (raw == Set.class || raw == SequencedSet.class) {
      return array(use.argument(0), true, Gathering.AsSet.INSTANCE, constraints, path);
    }
    if (raw == Map.class || raw == SequencedMap.class) {
      return map(use, constraints, path);
    }
    constraints.only(false, false, false);
    TreeBinding binding = binding(raw);
    if (binding != null) {
      return anything(binding);
    }
    if (raw.isRecord() || raw.isSealed() && raw.isInterface()) {
      return reference(use, path);
    }
    throw new IllegalArgumentException("is of a type that has no JSON Schema here");
  }

  private static @Nullable TreeBinding binding(Class<?> raw) {
    if (raw == Object.class) {
      return TreeBinding.NATURAL;
    }
    if (raw == Json.class) {
      return TreeBinding.JSON;
    }
    return raw == JsonNode.class ? TreeBinding.NODE : null;
  }

  private Typed anything(TreeBinding binding) {
    if (mode == Mode.STRICT) {
      throw new IllegalArgumentException("takes anything, which strict does not allow");
    }
    return Typed.anything(binding);
  }

  private Typed array(
      TypeUse item, boolean unique, Gathering gathering, Constraints constraints, String path) {
    constraints.only(false, true, false);
    Typed items = element(item, path + ".items");
    ObjectNode schema = Codec.object().put("type", "array");
    schema.set("items", items.schema());
    constraints.writeSize(schema, "Items");
    if (unique) {
      schema.put("uniqueItems", true);
    }
    Cardinality size = SchemaCompiler.count(schema, "minItems", "maxItems");
    mode.trim(schema);
    return new Typed(schema, new ArrayShape(List.of(), items.shape(), size, unique, gathering));
  }

  private Typed map(TypeUse use, Constraints constraints, String path) {
    constraints.only(false, true, false);
    if (mode == Mode.STRICT) {
      throw new IllegalArgumentException("is a map, which strict does not allow");
    }
    Class<?> key = use.argument(0).raw();
    if (key != String.class && !key.isEnum()) {
      throw new IllegalArgumentException("has keys that are neither strings nor an enum");
    }
    Typed values = element(use.argument(1), path + ".additionalProperties");
    ObjectNode schema = Codec.object().put("type", "object");
    EnumShape names = null;
    if (key.isEnum()
        && value(use.argument(0), Annotations.NONE, path + ".propertyNames")
            instanceof Typed(var keys, EnumShape shape)) {
      schema.set("propertyNames", Codec.object().set("enum", keys.path("enum")));
      names = shape;
    }
    if (values.schema().isEmpty()) {
      schema.put("additionalProperties", true);
    } else {
      schema.set("additionalProperties", values.schema());
    }
    constraints.writeSize(schema, "Properties");
    Cardinality members = SchemaCompiler.count(schema, "minProperties", "maxProperties");
    return new Typed(schema, new MapShape(names, values.shape(), members));
  }

  /// An item of a collection or a value of a map: null where its type says so.
  private Typed element(TypeUse use, String path) {
    Optionality optionality = Optionality.of(use, use.annotations());
    TypeUse content = optionality.content();
    Typed typed = value(content, content.annotations(), path);
    if (!optionality.optional()) {
      return typed;
    }
    Shape shape =
        new NullableShape(typed.shape(), optionality.wrapping().empty(), optionality.wrapping());
    return new Typed(typed.nullable(), shape);
  }

  /// A record or a sealed interface: written in place, unless it holds itself.
  private Typed reference(TypeUse use, String path) {
    Place known = places.get(use.key());
    if (known != null) {
      known.recursive = true;
      return new Typed(Codec.object().put("$ref", known.pointer), known.shape);
    }
    String name = definitionName(use);
    Place place = new Place("#/$defs/" + name);
    places.put(use.key(), place);
    Typed built = use.raw().isRecord() ? object(use, null, path) : union(use, path);
    place.shape.set(built.shape());
    if (!place.recursive) {
      places.remove(use.key());
      return built;
    }
    definitions.set(name, built.schema());
    return new Typed(Codec.object().put("$ref", place.pointer), place.shape);
  }

  private String definitionName(TypeUse use) {
    String simple = use.raw().getSimpleName();
    String name = simple;
    for (int i = 2; taken("#/$defs/" + name); i++) {
      name = simple + i;
    }
    return name;
  }

  private boolean taken(String pointer) {
    return places.values().stream().anyMatch(place -> place.pointer.equals(pointer));
  }

  private Typed union(TypeUse use, String path) {
    Map<String, ObjectShape> variants = new LinkedHashMap<>();
    ObjectNode schema = Codec.object();
    describe(schema, use.raw());
    var alternatives = schema.putArray(mode == Mode.STRICT ? "anyOf" : "oneOf");
    for (Class<?> variant : variants(use.raw())) {
      String word = tagOf(variant);
      if (!variant.isRecord() || variant.getTypeParameters().length > 0) {
        fault(path, "has the variant " + variant.getName() + ", which is no plain record");
      } else {
        Typed typed = object(TypeUse.of(variant), word, path + "." + word);
        alternatives.add(typed.schema());
        if (typed.shape() instanceof ObjectShape object && variants.put(word, object) != null) {
          fault(path, "has two variants named '" + word + "'");
        }
      }
    }
    return new Typed(schema, new TaggedShape(TAG, variants));
  }

  private static Set<Class<?>> variants(Class<?> type) {
    Set<Class<?>> variants = new LinkedHashSet<>();
    for (Class<?> permitted : type.getPermittedSubclasses()) {
      if (permitted.isInterface() && permitted.isSealed()) {
        variants.addAll(variants(permitted));
      } else {
        variants.add(permitted);
      }
    }
    return variants;
  }

  /// The word that tells a variant: its Jackson type name, or its simple name in snake_case.
  static String tagOf(Class<?> variant) {
    JsonTypeName named = variant.getAnnotation(JsonTypeName.class);
    if (named != null && !named.value().isEmpty()) {
      return named.value();
    }
    return variant
        .getSimpleName()
        .replaceAll("([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])", "$1$3_$2$4")
        .toLowerCase(Locale.ROOT);
  }

  private Typed object(TypeUse use, @Nullable String word, String path) {
    ObjectNode schema = Codec.object().put("type", "object");
    describe(schema, use.raw());
    ObjectNode properties = schema.putObject("properties");
    Map<String, Shape> shapes = new LinkedHashMap<>();
    Set<String> required = new LinkedHashSet<>();
    List<Absent> absent = new ArrayList<>();
    if (word != null) {
      properties.putObject(TAG).put("type", "string").put("const", word);
      shapes.put(TAG, new EnumShape(Map.of(word, word)));
      required.add(TAG);
    }
    for (Component component : Component.of(use)) {
      String below = path + ".properties." + component.name();
      if (shapes.containsKey(component.name())) {
        fault(below, "is there twice");
        continue;
      }
      Member member = member(component, below);
      properties.set(component.name(), member.schema());
      shapes.put(component.name(), member.shape());
      absent.add(member.absent());
      if (member.required()) {
        required.add(component.name());
      }
    }
    if (!required.isEmpty()) {
      required.forEach(schema.putArray("required")::add);
    }
    schema.put("additionalProperties", false);
    return new Typed(
        schema, ObjectShape.bound(shapes, required, maker(use, absent, path), word != null));
  }

  private Maker maker(TypeUse use, List<Absent> absent, String path) {
    try {
      return Maker.of(Component.canonical(use.raw()), absent);
    } catch (IllegalAccessException | RuntimeException e) {
      fault(
          path,
          "is of the record "
              + use.raw().getName()
              + ", which cannot be reached: open its package");
      return Maker.NOTHING;
    }
  }

  private static void describe(ObjectNode schema, Class<?> type) {
    Doc doc = type.getAnnotation(Doc.class);
    JsonClassDescription jackson = type.getAnnotation(JsonClassDescription.class);
    if (doc != null) {
      schema.put("description", doc.value());
    } else if (jackson != null && !jackson.value().isEmpty()) {
      schema.put("description", jackson.value());
    }
  }

  /// A component as a member of its object.
  private record Member(ObjectNode schema, Shape shape, boolean required, Absent absent) {}

  private Member member(Component component, String path) {
    TypeUse use = component.use();
    if (use == null) {
      fault(path, String.valueOf(component.problem()));
      return new Member(Codec.object(), AnyShape.UNBOUND, true, Absent.NULL);
    }
    Optionality optionality = Optionality.of(use, component.annotations());
    TypeUse content = optionality.content();
    Annotations rules =
        content == use
            ? component.annotations()
            : component.annotations().and(content.annotations().list());
    Typed typed = value(content, rules, path);
    String text = component.defaultText();
    JsonNode given = text == null ? null : Defaults.value(text, typed.shape());
    if (text != null && given == null) {
      fault(
          path,
          "has the default " + Found.quoted(text) + ", which is no " + typed.shape().expected());
    }
    if (!optionality.optional() && given == null) {
      return new Member(described(typed.schema(), component), typed.shape(), true, Absent.NULL);
    }
    Wrapping wrapping = optionality.wrapping();
    Absent absent =
        given == null ? wrapping.empty() : Defaults.absent(given, typed.shape(), wrapping);
    boolean required =
        mode == Mode.STRICT
            || component.markedRequired()
            || mode == Mode.OUTPUT && !optionality.optional();
    boolean nullable =
        mode == Mode.STRICT
            || component.markedRequired()
            || mode == Mode.OUTPUT && optionality.optional();
    ObjectNode schema = described(nullable ? typed.nullable() : typed.schema(), component);
    if (given != null && mode == Mode.OPEN) {
      schema.set("default", given);
    }
    return new Member(schema, new NullableShape(typed.shape(), absent, wrapping), required, absent);
  }

  private ObjectNode described(ObjectNode schema, Component component) {
    String description = component.description();
    if (description == null) {
      return schema;
    }
    ObjectNode described = schema;
    if (mode == Mode.STRICT && schema.has("$ref")) {
      described = Codec.object();
      described.putArray("anyOf").add(schema);
    }
    return described.put("description", description);
  }
}
