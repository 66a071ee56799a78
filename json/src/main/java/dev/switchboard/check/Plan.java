package dev.switchboard.check;

import dev.switchboard.json.Json;
import dev.switchboard.json.Json.Fault;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// The compiled check and binding of a value. [SchemaCheck] makes that of a stated schema; the
/// factories here make that of a Java type, whose `schema` has limits and sizes. Immutable once the
/// tool is built; thread-safe.
public final class Plan {
  /// Any value, not bound.
  public static final Plan ANYTHING = new Plan(AnyShape.UNBOUND);

  private final Shape shape;

  Plan(Shape shape) {
    this.shape = shape;
  }

  Shape shape() {
    return shape;
  }

  /// A string, integer, number or boolean, bound to that Java type; null for another type.
  ///
  /// @param patterns that must all be found in the string
  public static @Nullable Plan scalar(Class<?> type, JsonNode schema, List<String> patterns) {
    TextType text = TextType.of(type);
    if (text != null) {
      return new Plan(StringShape.bound(text, schema, patterns));
    }
    IntegerShape.Kind whole = IntegerShape.Kind.of(type);
    if (whole != null) {
      return new Plan(new IntegerShape(whole.within(Limits.of(schema)), whole));
    }
    NumberShape.Kind number = NumberShape.Kind.of(type);
    if (number != null) {
      return new Plan(new NumberShape(number.within(Limits.of(schema)), number));
    }
    return type == boolean.class || type == Boolean.class ? new Plan(BooleanShape.INSTANCE) : null;
  }

  /// One of these strings, bound to its value.
  public static Plan words(Map<String, Object> constants) {
    return new Plan(new EnumShape(constants));
  }

  /// Any value, bound to `Object`, [Json] or `JsonNode`; null for another type.
  ///
  /// @param orNull whether null is one of them, where it is not a value of the type
  public static @Nullable Plan anything(Class<?> type, boolean orNull) {
    TreeBinding binding = TreeBinding.of(type);
    return binding == null
        ? null
        : new Plan(new AnyShape(binding, orNull || binding != TreeBinding.NATURAL));
  }

  /// An array, bound to that type of array, list or set.
  public static Plan array(Class<?> type, Plan items, JsonNode schema) {
    Cardinality size = Cardinality.of(schema, "minItems", "maxItems");
    ItemCollector gathering = ItemCollector.of(type);
    boolean unique = gathering == ItemCollector.AsSet.INSTANCE;
    return new Plan(new ArrayShape(List.of(), items.shape, size, unique, gathering));
  }

  /// An object of any names, bound to a map.
  ///
  /// @param names the allowed names with their bound values; null for any
  public static Plan map(@Nullable Map<String, Object> names, Plan values, JsonNode schema) {
    Cardinality members = Cardinality.of(schema, "minProperties", "maxProperties");
    return new Plan(
        new MapShape(names == null ? null : new EnumShape(names), values.shape, members));
  }

  /// A closed object, bound by the constructor.
  ///
  /// @param constructor takes an array of the members' values
  /// @param tagged whether the first member is a tag, not a component
  public static Plan object(
      Map<String, Plan> members, Set<String> required, MethodHandle constructor, boolean tagged) {
    Map<String, Shape> shapes = new LinkedHashMap<>();
    List<Absent> absent = new ArrayList<>();
    members.forEach((name, plan) -> {
      shapes.put(name, plan.shape);
      absent.add(plan.shape instanceof NullableShape nullable ? nullable.absent() : Absent.NULL);
    });
    Maker maker = new Maker(constructor, tagged ? absent.subList(1, absent.size()) : absent);
    return new Plan(ObjectShape.bound(shapes, required, maker, tagged));
  }

  /// One of several objects, distinguished by their first member.
  public static Plan union(String tag, Map<String, Plan> variants) {
    Map<String, ObjectShape> shapes = new LinkedHashMap<>();
    variants.forEach((word, plan) -> shapes.put(word, (ObjectShape) plan.shape));
    return new Plan(new TaggedShape(tag, shapes));
  }

  /// A plan for a recursive type; [#become] completes it.
  public static Plan later() {
    return new Plan(new ReferenceShape());
  }

  /// Completes a plan of [#later].
  public void become(Plan known) {
    ((ReferenceShape) shape).set(known.shape);
  }

  /// The value of this plan or null; it may be absent.
  ///
  /// @param wrapper the class of `Optional` that it is bound to, or null
  /// @param otherwise the default of an absent value, or null
  public Plan orNull(@Nullable Class<?> wrapper, @Nullable JsonNode otherwise) {
    OptionalWrapper wrapping = OptionalWrapper.of(wrapper);
    Absent absent = otherwise == null ? wrapping.empty() : Absent.of(otherwise, shape, wrapping);
    return new Plan(new NullableShape(shape, absent, absent, wrapping));
  }

  /// The value of this plan or null; where it is absent, the constructor's own default applies.
  ///
  /// @param wrapper the class of `Optional` that it is bound to, or null
  /// @param ownNull whether null is bound to null; otherwise the default applies there too
  public Plan orDefault(@Nullable Class<?> wrapper, boolean ownNull) {
    OptionalWrapper wrapping = OptionalWrapper.of(wrapper);
    Absent whenNull = ownNull ? wrapping.empty() : Absent.LEFT_OUT;
    return new Plan(new NullableShape(shape, whenNull, Absent.LEFT_OUT, wrapping));
  }

  /// The value of this plan, bound by the constructor of a class that holds nothing else.
  ///
  /// @param constructor takes an array of that value
  public Plan made(MethodHandle constructor) {
    return new Plan(new ConstructedShape(shape, new Maker(constructor, List.of(Absent.NULL))));
  }

  /// The value of a text: read as JSON if that fits, otherwise as a string.
  ///
  /// @throws IllegalArgumentException when neither fits
  public JsonNode valueOf(String text) {
    JsonNode tree = Reading.of(text).tree();
    JsonNode string = JsonNodeFactory.instance.stringNode(text);
    for (JsonNode candidate : tree == null ? List.of(string) : List.of(tree, string)) {
      if (shape.accepts(candidate, new Faults())) {
        return candidate;
      }
    }
    Faults faults = new Faults();
    shape.explain(tree == null ? string : tree, Place.ROOT, faults);
    Fault first = faults.list().getFirst();
    String where = first.pointer().isEmpty() ? "" : " at '" + first.pointer() + "'";
    throw new IllegalArgumentException(
        "has the default "
            + ValueText.quoted(text)
            + ", which does not fit: expected "
            + first.expected()
            + where
            + ", found "
            + first.found());
  }
}
