package dev.switchboard.schema;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SequencedCollection;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The schema and the binding check of a Java type, made by reflection once when its tool is built.
final class RecordSchemas {
  private final String tool;
  private final Mode mode;
  private final Definitions definitions = new Definitions();
  private final ObjectSchemas objects = new ObjectSchemas(this);
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
    return root;
  }

  private Typed root(Class<?> type) {
    TypeUse use = TypeUse.of(type);
    boolean union = type.isSealed() && type.isInterface();
    if (mode == Mode.OUTPUT && !type.isRecord() && !union) {
      return value(use, Annotations.NONE, "result");
    }
    if (!type.isRecord() && !union) {
      fault(
          "parameters",
          "must be a record or a sealed interface of records, not " + type.getTypeName());
      return Typed.anything(TreeBinding.NONE);
    }
    if (union && mode == Mode.STRICT) {
      fault(
          "parameters",
          "cannot be strict as the sealed interface "
              + type.getTypeName()
              + "; wrap it in a record");
      return Typed.anything(TreeBinding.NONE);
    }
    return definitions.root(
        use,
        () ->
            union
                ? typedObject(objects.union(use, "parameters"))
                : objects.object(use, "parameters"));
  }

  private static Typed typedObject(Typed union) {
    ObjectNode schema = Codec.object().put("type", "object");
    schema.setAll(union.schema());
    return new Typed(schema, union.shape());
  }

  Mode mode() {
    return mode;
  }

  void fault(String path, String rest) {
    sentences.add("tool '" + tool + "': `" + path + "` " + rest + ".");
  }

  /// What the description gives, or anything where it finds a fault, which is noted.
  Typed orFault(String path, Supplier<Typed> description) {
    try {
      return description.get();
    } catch (IllegalArgumentException e) {
      fault(path, String.valueOf(e.getMessage()));
      return Typed.anything(TreeBinding.NONE);
    }
  }

  /// The value of a component, an element or a map's value, which may not be null.
  Typed value(TypeUse use, Annotations annotations, String path) {
    return orFault(path, () -> valueOrThrow(use, annotations, path));
  }

  private Typed valueOrThrow(TypeUse use, Annotations annotations, String path) {
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
    if (raw.isRecord()) {
      return definitions.inPlace(use, () -> objects.object(use, path));
    }
    if (raw.isSealed() && raw.isInterface()) {
      return definitions.inPlace(use, () -> objects.union(use, path));
    }
    throw new IllegalArgumentException(
        "is of the type " + raw.getTypeName() + ", which has no JSON Schema here");
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
    ObjectNode schema = Codec.object().put("type", "object");
    EnumShape names = mapNames(use.argument(0).raw(), schema);
    Typed values = element(use.argument(1), path + ".additionalProperties");
    if (values.schema().isEmpty()) {
      schema.put("additionalProperties", true);
    } else {
      schema.set("additionalProperties", values.schema());
    }
    constraints.writeSize(schema, "Properties");
    Cardinality members = SchemaCompiler.count(schema, "minProperties", "maxProperties");
    return new Typed(schema, new MapShape(names, values.shape(), members));
  }

  /// The names of a map's members, or null when they are free.
  private @Nullable EnumShape mapNames(Class<?> key, ObjectNode schema) {
    if (key == String.class) {
      return null;
    }
    if (!key.isEnum()) {
      throw new IllegalArgumentException(
          "is a map whose keys are neither strings nor an enum's constants");
    }
    Typed constants = LeafSchemas.constants(key);
    schema.putObject("propertyNames").set("enum", constants.schema().path("enum"));
    return constants.shape() instanceof EnumShape names ? names : null;
  }

  /// An item of a collection or a value of a map: null where its type says so.
  private Typed element(TypeUse use, String path) {
    Optionality optionality = Optionality.of(use, use.annotations());
    TypeUse content = optionality.content();
    Typed typed = value(content, content.annotations(), path);
    if (!optionality.optional()) {
      return typed;
    }
    Wrapping wrapping = optionality.wrapping();
    return new Typed(
        typed.nullable(), new NullableShape(typed.shape(), wrapping.empty(), wrapping));
  }
}
