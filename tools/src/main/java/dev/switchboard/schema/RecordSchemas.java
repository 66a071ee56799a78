package dev.switchboard.schema;

import dev.switchboard.check.Plan;
import dev.switchboard.json.Codec;
import dev.switchboard.kotlin.Kotlin;
import dev.switchboard.tool.ToolSchemaException;
import java.lang.reflect.Executable;
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
import tools.jackson.databind.node.ObjectNode;

/// Creates the schema and the plan of a Java type, by reflection, once when its tool is built.
final class RecordSchemas {
  private static final Set<Class<?>> LISTS =
      Set.of(List.class, Collection.class, SequencedCollection.class, Iterable.class);

  private final String tool;
  private final Mode mode;
  private final Definitions definitions = new Definitions();
  private final ObjectSchemas objects = new ObjectSchemas(this);
  private final List<String> sentences = new ArrayList<>();

  private RecordSchemas(String tool, Mode mode) {
    this.tool = tool;
    this.mode = mode;
  }

  /// The schema and the plan of the type.
  ///
  /// @throws ToolSchemaException with a sentence for each component that has no JSON Schema
  static Typed of(String tool, Class<?> type, Mode mode) {
    RecordSchemas schemas = new RecordSchemas(tool, mode);
    return schemas.faultless(
        schemas.orFault(mode == Mode.OUTPUT ? "result" : "parameters", () -> schemas.root(type)));
  }

  /// The schema and the plan of an object whose members are the parameters except those of the type
  /// `given`; it is bound to an array of their values.
  ///
  /// @throws ToolSchemaException with a sentence for each parameter that has no JSON Schema
  static Typed of(String tool, Executable parameters, Class<?> given, Mode mode) {
    RecordSchemas schemas = new RecordSchemas(tool, mode);
    return schemas.faultless(
        schemas.definitions.root(() -> schemas.objects.parameters(parameters, given)));
  }

  private Typed faultless(Typed root) {
    if (!sentences.isEmpty()) {
      throw new ToolSchemaException(tool, sentences);
    }
    return root;
  }

  private Typed root(Class<?> type) {
    TypeUse use = TypeUse.of(type);
    boolean leaf = type.isEnum() || type.getName().startsWith("java.");
    ClassForm form = leaf ? ClassForm.NONE : ClassForm.of(type);
    boolean union = form == ClassForm.UNION;
    if (mode == Mode.OUTPUT && form != ClassForm.OBJECT && !union) {
      return value(use, Annotations.NONE, "result");
    }
    if (form != ClassForm.OBJECT && !union) {
      fault(
          "parameters",
          Kotlin.isKotlin(type)
              ? "must be a data class or a sealed class, not " + type.getTypeName()
              : "must be a record or a sealed interface of records, not " + type.getTypeName());
      return Typed.anything();
    }
    if (union && mode == Mode.STRICT) {
      fault(
          "parameters",
          "cannot be strict as the sealed interface "
              + type.getTypeName()
              + "; wrap it in a record");
      return Typed.anything();
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
    return new Typed(schema, union.plan());
  }

  Mode mode() {
    return mode;
  }

  void fault(String path, String rest) {
    sentences.add("tool '" + tool + "': `" + path + "` " + rest + ".");
  }

  /// The description, or a placeholder if it has a fault, which is recorded.
  Typed orFault(String path, Supplier<Typed> description) {
    try {
      return description.get();
    } catch (IllegalArgumentException e) {
      fault(path, String.valueOf(e.getMessage()));
      return Typed.anything();
    }
  }

  /// A value that may not be null: of a component, an element or a map.
  Typed value(TypeUse use, Annotations annotations, String path) {
    return orFault(path, () -> valueOrThrow(use, annotations, path));
  }

  private Typed valueOrThrow(TypeUse use, Annotations annotations, String path) {
    Class<?> raw = use.raw();
    if (isWrapper(raw)) {
      return definitions.inPlace(use, () -> objects.wrapper(use, annotations, path));
    }
    Constraints constraints = Constraints.of(annotations);
    Typed leaf = LeafSchemas.of(raw, constraints, mode);
    if (leaf != null) {
      return leaf;
    }
    if (raw.isArray()) {
      TypeUse item = use.arguments().isEmpty() ? TypeUse.of(raw.componentType()) : use.argument(0);
      return array(raw, item, false, constraints, path);
    }
    if (LISTS.contains(raw)) {
      return array(raw, use.argument(0), false, constraints, path);
    }
    if (raw == Set.class || raw == SequencedSet.class) {
      return array(raw, use.argument(0), true, constraints, path);
    }
    if (raw == Map.class || raw == SequencedMap.class) {
      return map(use, constraints, path);
    }
    constraints.only(false, false, false);
    Plan anything = Plan.anything(raw, !use.annotations().nonNull());
    if (anything != null) {
      return anything(anything);
    }
    return switch (ClassForm.of(raw)) {
      case OBJECT -> definitions.inPlace(use, () -> objects.object(use, path));
      case UNION -> definitions.inPlace(use, () -> objects.union(use, path));
      case WRAPPER, NONE ->
          throw new IllegalArgumentException(
              "is of the type " + raw.getTypeName() + ", which has no JSON Schema here");
    };
  }

  private static boolean isWrapper(Class<?> raw) {
    return !raw.isEnum() && Kotlin.isKotlin(raw) && ClassForm.of(raw) == ClassForm.WRAPPER;
  }

  private Typed anything(Plan plan) {
    if (mode == Mode.STRICT) {
      throw new IllegalArgumentException("takes anything, which strict does not allow");
    }
    return new Typed(Codec.object(), plan);
  }

  private Typed array(
      Class<?> type, TypeUse item, boolean unique, Constraints constraints, String path) {
    constraints.only(false, true, false);
    Typed items = element(item, path + ".items");
    ObjectNode schema = Codec.object().put("type", "array");
    schema.set("items", items.schema());
    constraints.writeSize(schema, "Items");
    if (unique) {
      schema.put("uniqueItems", true);
    }
    Plan plan = Plan.array(type, items.plan(), schema);
    mode.trim(schema);
    return new Typed(schema, plan);
  }

  private Typed map(TypeUse use, Constraints constraints, String path) {
    constraints.only(false, true, false);
    if (mode == Mode.STRICT) {
      throw new IllegalArgumentException("is a map, which strict does not allow");
    }
    ObjectNode schema = Codec.object().put("type", "object");
    Map<String, Object> names = mapNames(use.argument(0).raw());
    if (names != null) {
      LeafSchemas.writeNames(names, schema.putObject("propertyNames"));
    }
    Typed values = element(use.argument(1), path + ".additionalProperties");
    if (!values.schema().isEmpty()) {
      schema.set("additionalProperties", values.schema());
    }
    constraints.writeSize(schema, "Properties");
    return new Typed(schema, Plan.map(names, values.plan(), schema));
  }

  /// The names of a map's members and the values of these names; null if any name is allowed.
  private static @Nullable Map<String, Object> mapNames(Class<?> key) {
    if (key == String.class) {
      return null;
    }
    if (!key.isEnum()) {
      throw new IllegalArgumentException(
          "is a map whose keys are neither strings nor an enum's constants");
    }
    return LeafSchemas.constants(key);
  }

  /// An item of a collection or a value of a map; it may be null if its type is nullable.
  private Typed element(TypeUse use, String path) {
    Optionality optionality = Optionality.of(use, use.annotations());
    TypeUse content = optionality.content();
    Typed typed = value(content, content.annotations(), path);
    return optionality.optional()
        ? new Typed(typed.nullable(), typed.plan().orNull(optionality.wrapper(), null))
        : typed;
  }
}
