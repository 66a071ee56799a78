package dev.switchboard.schema;

import dev.switchboard.json.Json;
import java.lang.invoke.MethodType;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The schema offered of a type, with the limits of Java types that only the check knows: what
/// exactly it accepts.
final class Exact {
  private static final String TIME =
      "([01]\\\\d|2[0-3]):[0-5]\\\\d(:[0-5]\\\\d(\\\\.\\\\d{1,9})?)?";
  private static final String DATE =
      "(\\\\d{4}-((0[13578]|1[02])-(0[1-9]|[12]\\\\d|3[01])|(0[469]|11)-(0[1-9]|[12]\\\\d|30)|02-(0[1-9]|1\\\\d|2[0-8]))"
          + "|(\\\\d\\\\d(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)";
  private static final String OFFSET = "([zZ]|[+-]((0\\\\d|1[0-7]):[0-5]\\\\d|18:00))$";

  private static final Map<Class<?>, String> LIMITS =
      Map.ofEntries(
          Map.entry(Character.class, pattern("^[\\\\u0000-\\\\uD7FF\\\\uE000-\\\\uFFFF]$")),
          Map.entry(
              byte[].class,
              pattern(
                  "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$")),
          Map.entry(LocalTime.class, pattern("^" + TIME + "$")),
          Map.entry(LocalDateTime.class, pattern("^" + DATE + "T" + TIME + "$")),
          Map.entry(OffsetDateTime.class, pattern(OFFSET)),
          Map.entry(ZonedDateTime.class, pattern(OFFSET)),
          Map.entry(
              Duration.class,
              pattern(
                  "^P(\\\\d{1,9}D)?(T(\\\\d{1,9}H(\\\\d{1,9}M(\\\\d{1,9}S)?)?|\\\\d{1,9}M(\\\\d{1,9}S)?|\\\\d{1,9}S))?$")),
          Map.entry(
              Period.class,
              pattern(
                  "^P(\\\\d{1,8}Y(\\\\d{1,8}M(\\\\d{1,8}D)?)?|\\\\d{1,8}M(\\\\d{1,8}D)?|\\\\d{1,8}[DW])$")),
          Map.entry(YearMonth.class, pattern("^\\\\d{4}-(0[1-9]|1[0-2])$")),
          Map.entry(Byte.class, bounds("-128", "127")),
          Map.entry(Short.class, bounds("-32768", "32767")),
          Map.entry(Integer.class, bounds("-2147483648", "2147483647")),
          Map.entry(Long.class, bounds("-9223372036854775808", "9223372036854775807")),
          Map.entry(Year.class, bounds("-999999999", "999999999")),
          Map.entry(
              Float.class,
              bounds("-" + new BigDecimal(Float.MAX_VALUE), "" + new BigDecimal(Float.MAX_VALUE))));

  private final JsonNode root;
  private final Set<String> references = new HashSet<>();

  private Exact(JsonNode root) {
    this.root = root;
  }

  private static String pattern(String pattern) {
    return "{\"pattern\":\"" + pattern + "\"}";
  }

  private static String bounds(String least, String greatest) {
    return "{\"minimum\":" + least + ",\"maximum\":" + greatest + "}";
  }

  static JsonNode of(Class<?> type, JsonNode offered) {
    JsonNode copy = offered.deepCopy();
    Exact exact = new Exact(copy);
    exact.references.add("#");
    exact.add(TypeUse.of(type), copy);
    return copy;
  }

  private void add(TypeUse use, JsonNode schema) {
    Class<?> raw = use.raw();
    Optionality optionality = Optionality.of(use, use.annotations());
    if (optionality.wrapper() != null) {
      add(optionality.content(), schema);
    } else if (schema.has("$ref")) {
      String reference = schema.path("$ref").stringValue();
      if (references.add(reference)) {
        add(use, root.at(reference.substring(1)));
      }
    } else if (raw.isSealed()) {
      List<JsonNode> alternatives = new ArrayList<>();
      schema.path("oneOf").forEach(alternatives::add);
      schema.path("anyOf").forEach(alternatives::add);
      if (alternatives.getFirst().has("$ref")) {
        add(use, alternatives.getFirst());
      } else {
        for (int i = 0; i < raw.getPermittedSubclasses().length; i++) {
          add(TypeUse.of(raw.getPermittedSubclasses()[i]), alternatives.get(i));
        }
      }
    } else if (schema.has("anyOf")) {
      add(use, schema.path("anyOf").path(0));
    } else if (raw.isRecord()) {
      Component.of(use).forEach(each -> add(each.use(), schema.at("/properties/" + each.name())));
    } else if (schema.has("items")) {
      add(
          use.arguments().isEmpty() ? TypeUse.of(raw.componentType()) : use.argument(0),
          schema.path("items"));
    } else if (schema.has("additionalProperties")) {
      add(use.argument(1), schema.path("additionalProperties"));
    } else if (schema instanceof ObjectNode leaf) {
      limit(raw, leaf);
    }
  }

  private static void limit(Class<?> raw, ObjectNode leaf) {
    Class<?> boxed = MethodType.methodType(raw).wrap().returnType();
    Json.text(LIMITS.getOrDefault(boxed, "{}"))
        .tree()
        .forEachEntry((keyword, value) -> {
          String exclusive = "exclusiveM" + keyword.substring(1);
          boolean stated = leaf.has(keyword) || leaf.has(exclusive);
          if (keyword.equals("pattern") || !stated) {
            leaf.set(keyword, value);
          }
        });
  }
}
