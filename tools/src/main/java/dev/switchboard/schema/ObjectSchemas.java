package dev.switchboard.schema;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import dev.switchboard.check.Plan;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Records;
import dev.switchboard.kotlin.Kotlin;
import dev.switchboard.kotlin.KotlinClass;
import dev.switchboard.tool.Doc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Executable;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The schemas of records, as closed objects, and of sealed interfaces, as unions.
final class ObjectSchemas {
  private final RecordSchemas types;

  ObjectSchemas(RecordSchemas types) {
    this.types = types;
  }

  Typed union(TypeUse use, String path) {
    ObjectNode schema = Codec.object();
    describe(schema, use.raw());
    requireFollowed(use.raw(), path);
    ArrayNode alternatives = schema.putArray(types.mode() == Mode.STRICT ? "anyOf" : "oneOf");
    Map<String, Plan> variants = new LinkedHashMap<>();
    for (Class<?> variant : ClassForm.variants(use.raw())) {
      String word = Records.typeOf(variant);
      String problem = problem(variant);
      if (problem != null) {
        types.fault(path, problem);
        continue;
      }
      Typed typed = object(TypeUse.of(variant), word, path + "." + word);
      alternatives.add(typed.schema());
      if (variants.put(word, typed.plan()) != null) {
        types.fault(path, "has two records named '" + word + "'");
      }
    }
    return new Typed(schema, Plan.union(Records.TYPE, variants));
  }

  private void requireFollowed(Class<?> type, String path) {
    String problem = JacksonRules.problem(type);
    if (problem != null) {
      types.fault(path, problem);
    }
  }

  private static @Nullable String problem(Class<?> variant) {
    try {
      boolean isObject = !variant.isEnum() && ClassForm.of(variant) == ClassForm.OBJECT;
      if (isObject && variant.getTypeParameters().length == 0) {
        return null;
      }
    } catch (IllegalArgumentException e) {
      return "has a kind that " + e.getMessage();
    }
    String wanted = Kotlin.isKotlin(variant) ? "data class or object" : "record";
    return "can be "
        + variant.getTypeName()
        + ", which is not a "
        + wanted
        + " without type parameters";
  }

  /// The value of a class with one member, made of it.
  Typed wrapper(TypeUse use, Annotations annotations, String path) {
    Component only = Component.of(use).getFirst();
    TypeUse content = only.use();
    if (content == null) {
      throw new IllegalArgumentException(only.problem());
    }
    if (Optionality.of(content, only.annotations()).optional()) {
      throw new IllegalArgumentException(
          "is of the value class "
              + use.raw().getTypeName()
              + ", whose value may be null: make that non-null, and the class nullable where it is"
              + " used");
    }
    Typed typed = types.value(content, annotations.and(only.annotations().list()), path);
    ObjectNode schema = typed.schema();
    if (!schema.has("description")) {
      describe(schema, use.raw());
    }
    return new Typed(schema, typed.plan().made(constructor(use.raw(), path)));
  }

  Typed object(TypeUse use, String path) {
    return object(use, null, path);
  }

  private Typed object(TypeUse use, @Nullable String word, String path) {
    ObjectNode schema = Codec.object().put("type", "object");
    describe(schema, use.raw());
    requireFollowed(use.raw(), path);
    return closed(schema, Component.of(use), path, word, constructor(use.raw(), path));
  }

  /// The parameters except those of the type `given`, bound to an array of their values.
  Typed parameters(Executable method, Class<?> given) {
    MethodHandle values = MethodHandles.identity(Object[].class);
    return closed(
        Codec.object().put("type", "object"),
        Component.of(method, given),
        "parameters",
        null,
        values.asType(values.type().changeReturnType(Object.class)));
  }

  private Typed closed(
      ObjectNode schema,
      List<Component> components,
      String path,
      @Nullable String word,
      MethodHandle maker) {
    ObjectNode properties = schema.putObject("properties");
    Map<String, Plan> plans = new LinkedHashMap<>();
    Set<String> required = new LinkedHashSet<>();
    if (word != null) {
      properties.putObject(Records.TYPE).put("type", "string").put("const", word);
      plans.put(Records.TYPE, Plan.words(Map.of(word, word)));
      required.add(Records.TYPE);
    }
    for (Component component : components) {
      String below = path + ".properties." + component.name();
      Member member = member(component, below);
      if (plans.put(component.name(), member.plan()) != null) {
        types.fault(below, "is defined twice");
      }
      properties.set(component.name(), member.schema());
      if (member.required()) {
        required.add(component.name());
      }
    }
    if (!required.isEmpty()) {
      required.forEach(schema.putArray("required")::add);
    }
    schema.put("additionalProperties", false);
    return new Typed(schema, Plan.object(plans, required, maker, word != null));
  }

  /// The record's canonical constructor, which takes an array of its components' values.
  private MethodHandle constructor(Class<?> record, String path) {
    // A named module reads only modules that it names, and it cannot name users' modules.
    ObjectSchemas.class.getModule().addReads(record.getModule());
    // Jackson writes the answer, and needs the same access.
    boolean open = record.getModule().isOpen(record.getPackageName(), ObjectNode.class.getModule());
    KotlinClass kotlin = Kotlin.of(record);
    if (kotlin != null) {
      if (!open) {
        throw new IllegalArgumentException(kotlin.closed());
      }
      return kotlin.maker();
    }
    if (!open) {
      return closed(record, path);
    }
    try {
      MethodHandle constructor =
          MethodHandles.privateLookupIn(record, MethodHandles.lookup())
              .unreflectConstructor(Component.canonical(record))
              .asFixedArity();
      return constructor
          .asType(constructor.type().generic())
          .asSpreader(Object[].class, constructor.type().parameterCount());
    } catch (IllegalAccessException e) {
      return closed(record, path);
    }
  }

  private MethodHandle closed(Class<?> record, String path) {
    types.fault(
        path,
        "is the record "
            + record.getTypeName()
            + ", whose package is not open to this library: its module-info.java needs `opens "
            + record.getPackageName()
            + " to dev.switchboard.json, dev.switchboard.tools, tools.jackson.databind;`, or `open"
            + " module`");
    return MethodHandles.empty(MethodType.methodType(Object.class, Object[].class));
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
  private record Member(ObjectNode schema, Plan plan, boolean required) {}

  private Member member(Component component, String path) {
    try {
      return memberOrThrow(component, path);
    } catch (IllegalArgumentException e) {
      types.fault(path, String.valueOf(e.getMessage()));
      return new Member(Codec.object(), Plan.ANYTHING, true);
    }
  }

  private Member memberOrThrow(Component component, String path) {
    TypeUse use = component.use();
    if (use == null) {
      throw new IllegalArgumentException(component.problem());
    }
    Optionality optionality = Optionality.of(use, component.annotations());
    String text = component.defaultText();
    if (component.markedOptional() && component.needsValue()) {
      throw new IllegalArgumentException(
          use.raw().isPrimitive()
              ? "may be left out and is a primitive, which is never null; box it or give it a"
                  + " default"
              : "may be left out and is never null; make it nullable or give it a default");
    }
    TypeUse content = optionality.content();
    Annotations rules = component.annotations().and(content.annotations().list());
    Typed typed = types.value(content, rules, path);
    if (!optionality.optional() && text == null && !component.defaulted()) {
      return new Member(described(typed.schema(), component), typed.plan(), true);
    }
    JsonNode given = text == null ? null : typed.plan().valueOf(text);
    return optionalMember(component, typed, optionality, given);
  }

  private Member optionalMember(
      Component component, Typed typed, Optionality optionality, @Nullable JsonNode given) {
    boolean always = types.mode() == Mode.STRICT || component.markedRequired();
    boolean output = types.mode() == Mode.OUTPUT;
    boolean nullable = always || (output && optionality.optional());
    ObjectNode schema = described(nullable ? typed.nullable() : typed.schema(), component);
    if (given != null && types.mode() == Mode.OPEN) {
      schema.set("default", given);
    }
    boolean required = always || (output && !optionality.optional());
    return new Member(schema, orAbsent(component, typed.plan(), optionality, given), required);
  }

  private Plan orAbsent(
      Component component, Plan plan, Optionality optionality, @Nullable JsonNode given) {
    if (given != null || !component.defaulted()) {
      return plan.orNull(optionality.wrapper(), given);
    }
    // A strict tool's model can leave nothing out, and says null.
    boolean ownNull = optionality.optional() && types.mode() != Mode.STRICT;
    return plan.orDefault(optionality.wrapper(), ownNull);
  }

  private ObjectNode described(ObjectNode schema, Component component) {
    String own = component.description();
    if (own == null) {
      return schema;
    }
    String constants = schema.has("enum") ? schema.path("description").asString("") : "";
    String description = constants.isEmpty() ? own : own + " (" + constants + ")";
    ObjectNode described = schema;
    if (types.mode() == Mode.STRICT && schema.has("$ref")) {
      // Model APIs allow nothing beside a reference.
      described = Codec.object();
      described.putArray("anyOf").add(schema);
    }
    return described.put("description", description);
  }
}
