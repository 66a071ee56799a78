package dev.switchboard.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.switchboard.check.Plan;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The types that are written as one JSON string, number or boolean.
final class LeafSchemas {
  private static final String TIME =
      "([01]\\\\d|2[0-3]):[0-5]\\\\d(:[0-5]\\\\d(\\\\.\\\\d{1,9})?)?";

  private static final String DATE =
      "(\\\\d{4}-((0[13578]|1[02])-(0[1-9]|[12]\\\\d|3[01])|(0[469]|11)-(0[1-9]|[12]\\\\d|30)|02-(0[1-9]|1\\\\d|2[0-8]))"
          + "|(\\\\d\\\\d(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)";

  private static final String OFFSET = "([zZ]|[+-]((0\\\\d|1[0-7]):[0-5]\\\\d|18:00))$";

  /// What is offered of each type.
  private static final Map<Class<?>, String> LEAVES =
      Map.ofEntries(
          Map.entry(String.class, "{\"type\":\"string\"}"),
          Map.entry(char[].class, "{\"type\":\"string\"}"),
          Map.entry(
              Character.class,
              "{\"type\":\"string\",\"pattern\":\"^[\\\\u0000-\\\\uD7FF\\\\uE000-\\\\uFFFF]$\"}"),
          Map.entry(
              byte[].class,
              "{\"type\":\"string\",\"contentEncoding\":\"base64\",\"pattern\":\"^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$\"}"),
          Map.entry(LocalDate.class, "{\"type\":\"string\",\"format\":\"date\"}"),
          Map.entry(LocalTime.class, "{\"type\":\"string\",\"pattern\":\"^" + TIME + "$\"}"),
          Map.entry(
              LocalDateTime.class,
              "{\"type\":\"string\",\"pattern\":\"^" + DATE + "T" + TIME + "$\"}"),
          Map.entry(Instant.class, "{\"type\":\"string\",\"format\":\"date-time\"}"),
          Map.entry(
              OffsetDateTime.class,
              "{\"type\":\"string\",\"format\":\"date-time\",\"pattern\":\"" + OFFSET + "\"}"),
          Map.entry(
              ZonedDateTime.class,
              "{\"type\":\"string\",\"format\":\"date-time\",\"pattern\":\"" + OFFSET + "\"}"),
          Map.entry(
              Duration.class,
              "{\"type\":\"string\",\"format\":\"duration\",\"pattern\":\"^P(\\\\d{1,9}D)?(T(\\\\d{1,9}H(\\\\d{1,9}M(\\\\d{1,9}S)?)?|\\\\d{1,9}M(\\\\d{1,9}S)?|\\\\d{1,9}S))?$\"}"),
          Map.entry(
              Period.class,
              "{\"type\":\"string\",\"format\":\"duration\",\"pattern\":\"^P(\\\\d{1,8}Y(\\\\d{1,8}M(\\\\d{1,8}D)?)?|\\\\d{1,8}M(\\\\d{1,8}D)?|\\\\d{1,8}[DW])$\"}"),
          Map.entry(
              YearMonth.class, "{\"type\":\"string\",\"pattern\":\"^\\\\d{4}-(0[1-9]|1[0-2])$\"}"),
          Map.entry(URI.class, "{\"type\":\"string\",\"format\":\"uri\"}"),
          Map.entry(UUID.class, "{\"type\":\"string\",\"format\":\"uuid\"}"),
          Map.entry(Boolean.class, "{\"type\":\"boolean\"}"),
          Map.entry(Byte.class, "{\"type\":\"integer\"}"),
          Map.entry(Short.class, "{\"type\":\"integer\"}"),
          Map.entry(Integer.class, "{\"type\":\"integer\"}"),
          Map.entry(Long.class, "{\"type\":\"integer\"}"),
          Map.entry(BigInteger.class, "{\"type\":\"integer\"}"),
          Map.entry(Year.class, "{\"type\":\"integer\"}"),
          Map.entry(Float.class, "{\"type\":\"number\"}"),
          Map.entry(Double.class, "{\"type\":\"number\"}"),
          Map.entry(BigDecimal.class, "{\"type\":\"number\"}"));

  private LeafSchemas() {}

  /// The type's schema and plan, or null for a type that is not a leaf.
  ///
  /// @throws IllegalArgumentException for constraints that do not fit the type
  static @Nullable Typed of(Class<?> type, Constraints constraints, Mode mode) {
    if (type.isEnum()) {
      constraints.only(false, false, false);
      return words(type);
    }
    ObjectNode schema = schema(type);
    if (schema == null) {
      return null;
    }
    boolean number = List.of("integer", "number").contains(schema.path("type").stringValue());
    boolean text = type == String.class;
    constraints.only(number, text, text);
    if (mode == Mode.OUTPUT) {
      schema.remove("pattern");
    }
    if (number) {
      bounds(type, constraints);
      constraints.writeBounds(schema);
    } else if (text) {
      constraints.writeText(schema);
    }
    Plan plan = Plan.scalar(type, schema, constraints.patterns());
    mode.trim(schema);
    return plan == null ? null : new Typed(schema, plan);
  }

  private static @Nullable ObjectNode schema(Class<?> type) {
    String text = LEAVES.get(MethodType.methodType(type).wrap().returnType());
    return text == null ? null : (ObjectNode) Json.text(text).tree().deepCopy();
  }

  private static void bounds(Class<?> type, Constraints constraints) {
    if (type == byte.class || type == Byte.class) {
      within(constraints, Byte.MIN_VALUE, Byte.MAX_VALUE);
    } else if (type == short.class || type == Short.class) {
      within(constraints, Short.MIN_VALUE, Short.MAX_VALUE);
    } else if (type == int.class || type == Integer.class) {
      within(constraints, Integer.MIN_VALUE, Integer.MAX_VALUE);
    } else if (type == long.class || type == Long.class) {
      within(constraints, Long.MIN_VALUE, Long.MAX_VALUE);
    } else if (type == Year.class) {
      within(constraints, Year.MIN_VALUE, Year.MAX_VALUE);
    } else if (type == float.class || type == Float.class) {
      BigDecimal greatest = BigDecimal.valueOf(Float.MAX_VALUE);
      constraints.within(greatest.negate(), greatest);
    }
  }

  private static void within(Constraints constraints, long least, long greatest) {
    constraints.within(BigDecimal.valueOf(least), BigDecimal.valueOf(greatest));
  }

  private static Typed words(Class<?> type) {
    Map<String, Object> constants = constants(type);
    ObjectNode schema = Codec.object().put("type", "string");
    writeNames(constants, schema);
    describe(type, constants, schema);
    return new Typed(schema, Plan.words(constants));
  }

  /// Writes the names as the only values.
  static void writeNames(Map<String, Object> constants, ObjectNode schema) {
    constants.keySet().forEach(schema.putArray("enum")::add);
  }

  /// The constants of an enum by the names that they have in JSON.
  static Map<String, Object> constants(Class<?> type) {
    Map<String, Object> constants = new LinkedHashMap<>();
    for (Object constant : type.getEnumConstants()) {
      String name = constantName(type, ((Enum<?>) constant).name());
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
    return constants;
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
}
