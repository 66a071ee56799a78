package dev.switchboard.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.switchboard.json.Codec;
import java.lang.reflect.Field;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Year;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The types that are written as one JSON string, number or boolean.
final class LeafSchemas {
  private LeafSchemas() {}

  /// The type's schema and check, or null for a type that is no leaf.
  ///
  /// @throws IllegalArgumentException for constraints that do not fit the type
  static @Nullable Typed of(Class<?> type, Constraints constraints, Mode mode) {
    TextType text = TextType.of(type);
    if (text != null) {
      return text(
          text, constraints.only(false, text == TextType.STRING, text == TextType.STRING), mode);
    }
    if (type == boolean.class || type == Boolean.class) {
      constraints.only(false, false, false);
      return new Typed(Codec.object().put("type", "boolean"), BooleanShape.INSTANCE);
    }
    if (type.isEnum()) {
      constraints.only(false, false, false);
      return constants(type);
    }
    IntegerShape.Kind integer = integerKind(type);
    if (integer != null) {
      return integer(integer, constraints.only(true, false, false));
    }
    NumberShape.Kind number = numberKind(type);
    return number == null ? null : number(number, constraints.only(true, false, false));
  }

  private static Typed text(TextType type, Constraints constraints, Mode mode) {
    ObjectNode schema = Codec.object().put("type", "string");
    List<String> patterns = new ArrayList<>(constraints.patterns());
    if (constraints.email()) {
      schema.put("format", "email");
    } else if (type.format() != null) {
      schema.put("format", type.format());
    }
    if (type == TextType.BYTES) {
      schema.put("contentEncoding", "base64");
    }
    constraints.writeSize(schema, "Length");
    List<Regex> rules = patterns.stream().map(Regex::of).toList();
    TextFormat format = constraints.email() ? TextFormat.EMAIL : null;
    Cardinality length = SchemaCompiler.count(schema, "minLength", "maxLength");
    if (type.pattern() != null && mode != Mode.OUTPUT) {
      patterns.addFirst(type.pattern());
    }
    for (String pattern : patterns) {
      if (!schema.has("pattern")) {
        schema.put("pattern", pattern);
      } else {
        schema.withArray("allOf").addObject().put("pattern", pattern);
      }
    }
    mode.trim(schema);
    return new Typed(schema, new StringShape(length, rules, format, type));
  }

  static Typed constants(Class<?> type) {
    ObjectNode schema = Codec.object().put("type", "string");
    ArrayNode names = schema.putArray("enum");
    Map<String, Object> constants = new LinkedHashMap<>();
    for (Object constant : type.getEnumConstants()) {
      String name = constantName(type, ((Enum<?>) constant).name());
      names.add(name);
      if (constants.put(name, constant) != null) {
        throw new IllegalArgumentException("has two constants named '" + name + "'");
      }
    }
    if (constants.isEmpty()) {
      throw new IllegalArgumentException("is an enum without constants");
    }
    String problem = JacksonRules.problem(type);
    if (problem != null) {
      throw new IllegalArgumentException(problem);
    }
    describe(type, constants, schema);
    return new Typed(schema, new EnumShape(constants));
  }

  private static void describe(Class<?> type, Map<String, Object> constants, ObjectNode schema) {
    List<String> words = new ArrayList<>();
    Doc whole = type.getAnnotation(Doc.class);
    if (whole != null) {
      words.add(whole.value());
    }
    constants.forEach((name, constant) -> {
      Doc doc = field(type, ((Enum<?>) constant).name()).getAnnotation(Doc.class);
      if (doc != null) {
        words.add(name + ": " + doc.value());
      }
    });
    if (!words.isEmpty()) {
      schema.put("description", String.join("; ", words));
    }
  }

  private static String constantName(Class<?> type, String name) {
    JsonProperty property = field(type, name).getAnnotation(JsonProperty.class);
    return property == null || property.value().isEmpty() ? name : property.value();
  }

  private static Field field(Class<?> type, String constant) {
    try {
      return type.getField(constant);
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException("every enum has a field for each constant", e);
    }
  }

  private static IntegerShape.@Nullable Kind integerKind(Class<?> type) {
    if (type == byte.class || type == Byte.class) {
      return IntegerShape.Kind.BYTE;
    }
    if (type == short.class || type == Short.class) {
      return IntegerShape.Kind.SHORT;
    }
    if (type == int.class || type == Integer.class) {
      return IntegerShape.Kind.INT;
    }
    if (type == long.class || type == Long.class) {
      return IntegerShape.Kind.LONG;
    }
    if (type == Year.class) {
      return IntegerShape.Kind.YEAR;
    }
    return type == BigInteger.class ? IntegerShape.Kind.BIG : null;
  }

  private static Typed integer(IntegerShape.Kind kind, Constraints constraints) {
    ObjectNode schema = Codec.object().put("type", "integer");
    switch (kind) {
      case BYTE -> within(constraints, Byte.MIN_VALUE, Byte.MAX_VALUE);
      case SHORT -> within(constraints, Short.MIN_VALUE, Short.MAX_VALUE);
      case INT -> within(constraints, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case LONG -> within(constraints, Long.MIN_VALUE, Long.MAX_VALUE);
      case YEAR -> within(constraints, Year.MIN_VALUE, Year.MAX_VALUE);
      case BIG, NONE -> {}
    }
    constraints.writeBounds(schema, true);
    return new Typed(schema, new IntegerShape(Limits.of(schema), kind));
  }

  private static void within(Constraints constraints, long least, long greatest) {
    constraints.within(BigDecimal.valueOf(least), BigDecimal.valueOf(greatest));
  }

  private static NumberShape.@Nullable Kind numberKind(Class<?> type) {
    if (type == double.class || type == Double.class) {
      return NumberShape.Kind.DOUBLE;
    }
    if (type == float.class || type == Float.class) {
      return NumberShape.Kind.FLOAT;
    }
    return type == BigDecimal.class ? NumberShape.Kind.DECIMAL : null;
  }

  private static Typed number(NumberShape.Kind kind, Constraints constraints) {
    ObjectNode schema = Codec.object().put("type", "number");
    if (kind == NumberShape.Kind.FLOAT) {
      BigDecimal greatest = BigDecimal.valueOf(Float.MAX_VALUE);
      constraints.within(greatest.negate(), greatest);
    }
    constraints.writeBounds(schema, false);
    return new Typed(schema, new NumberShape(Limits.of(schema), kind));
  }
}
