package dev.switchboard.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.switchboard.check.Plan;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Doc;
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

/// Types whose JSON is a single string, number or boolean.
final class LeafSchemas {
  private static final String TIME = "\\\\d\\\\d:\\\\d\\\\d(:[\\\\d.]+)?$";

  private static final String INTEGER = "{\"type\":\"integer\"}";
  private static final String NUMBER = "{\"type\":\"number\"}";

  /// The schema of each type for models: without limits of the Java type, which the plan checks,
  /// and without patterns that a format implies.
  private static final Map<Class<?>, String> LEAVES =
      Map.ofEntries(
          Map.entry(String.class, text("")),
          Map.entry(char[].class, text("")),
          Map.entry(Character.class, pattern("^[\\\\s\\\\S]$")),
          Map.entry(byte[].class, text(",\"contentEncoding\":\"base64\"")),
          Map.entry(LocalDate.class, format("date")),
          Map.entry(LocalTime.class, pattern("^" + TIME)),
          Map.entry(LocalDateTime.class, pattern("^\\\\d{4}-\\\\d\\\\d-\\\\d\\\\dT" + TIME)),
          Map.entry(Instant.class, format("date-time")),
          Map.entry(OffsetDateTime.class, format("date-time")),
          Map.entry(ZonedDateTime.class, format("date-time")),
          Map.entry(Duration.class, format("duration")),
          Map.entry(Period.class, text(",\"format\":\"duration\",\"pattern\":\"^P[^T]+$\"")),
          Map.entry(YearMonth.class, pattern("^\\\\d{4}-\\\\d\\\\d$")),
          Map.entry(URI.class, format("uri")),
          Map.entry(UUID.class, format("uuid")),
          Map.entry(Boolean.class, "{\"type\":\"boolean\"}"),
          Map.entry(Byte.class, INTEGER),
          Map.entry(Short.class, INTEGER),
          Map.entry(Integer.class, INTEGER),
          Map.entry(Long.class, INTEGER),
          Map.entry(BigInteger.class, INTEGER),
          Map.entry(Year.class, INTEGER),
          Map.entry(Float.class, NUMBER),
          Map.entry(Double.class, NUMBER),
          Map.entry(BigDecimal.class, NUMBER));

  private static String text(String more) {
    return "{\"type\":\"string\"" + more + "}";
  }

  private static String format(String format) {
    return text(",\"format\":\"" + format + "\"");
  }

  private static String pattern(String pattern) {
    return text(",\"pattern\":\"" + pattern + "\"");
  }

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

  private static Typed words(Class<?> type) {
    Map<String, Object> constants = constants(type);
    ObjectNode schema = Codec.object().put("type", "string");
    writeNames(constants, schema);
    describe(type, constants, schema);
    return new Typed(schema, Plan.words(constants));
  }

  /// Restricts the schema to the names.
  static void writeNames(Map<String, Object> constants, ObjectNode schema) {
    constants.keySet().forEach(schema.putArray("enum")::add);
  }

  /// The constants of an enum by their names in JSON.
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
