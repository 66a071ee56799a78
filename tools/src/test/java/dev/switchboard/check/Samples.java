package dev.switchboard.check;

import dev.switchboard.json.Codec;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Random JSON that meets a schema more often than not, and random mutations of it.
public final class Samples {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private static final List<String> TEXTS =
      List.of(
          "",
          " ",
          "a",
          "ab",
          "abc",
          "x1",
          "hello world",
          "ü",
          "日本",
          "😀",
          "a😀b",
          "\n",
          "\u00a0",
          "RED",
          "red",
          "GREEN",
          "light-blue",
          "circle",
          "4",
          "true",
          "null",
          "{}",
          "[]",
          "tab\there",
          "ABC-123",
          "AB",
          "zz",
          "2026-03-14",
          "2026-02-29",
          "2024-02-29",
          "2026-13-01",
          "2026-3-4",
          "2000-02-29",
          "1900-02-29",
          "2026-04-31",
          "19:30",
          "19:30:15",
          "19:30:15.123456789",
          "19:30:15.1234567890",
          "24:00",
          "7:30",
          "19:60",
          "19:30:60",
          "19:3",
          "19:30:00Z",
          "19:30:00+01:00",
          "23:59:60Z",
          "2026-03-14T19:30",
          "2026-03-14T19:30:15.5",
          "2026-02-29T10:00",
          "2026-03-14T19:30:00Z",
          "2026-03-14T19:30:00.25+01:00",
          "2026-03-14t19:30:00z",
          "2026-03-14 19:30:00Z",
          "2016-12-31T23:59:60Z",
          "2026-03-14T19:30:00+19:00",
          "2026-03-14T19:30:00-18:00",
          "2026-03-14T19:30Z",
          "P1D",
          "PT1H30M",
          "P1DT12H",
          "PT15S",
          "P1W",
          "P2M",
          "P1Y2M3D",
          "P1DT",
          "PT",
          "P",
          "PT1.5S",
          "-P1D",
          "P1Y2M",
          "PT5M10S",
          "P1234567890D",
          "PT1234567890S",
          "P123456789Y",
          "2026-03",
          "2026-13",
          "26-03",
          "http://example.com/a?b=c",
          "urn:x:y",
          "mailto:ada@example.com",
          "no uri",
          "//host/path",
          "123e4567-e89b-12d3-a456-426614174000",
          "123E4567-E89B-12D3-A456-426614174000",
          "123e4567e89b12d3a456426614174000",
          "ada@example.com",
          "ada@",
          "@example.com",
          "a.b+c@example.org",
          "AAAA",
          "AAA=",
          "AA==",
          "AAB=",
          "A===",
          "AAA",
          "aGVsbG8=",
          "127.0.0.1",
          "256.0.0.1",
          "::1",
          "1::2::3",
          "fe80::1");

  private static final List<String> NUMBERS =
      List.of(
          "0",
          "1",
          "-1",
          "2",
          "3",
          "4",
          "5",
          "10",
          "20",
          "21",
          "100",
          "4.0",
          "4.7",
          "1e2",
          "0.5",
          "-0.5",
          "-0",
          "0.0",
          "2.50",
          "1e-1",
          "127",
          "128",
          "-128",
          "-129",
          "32767",
          "32768",
          "2147483647",
          "2147483648",
          "-2147483648",
          "-2147483649",
          "9223372036854775807",
          "9223372036854775808",
          "-9223372036854775808",
          "-9223372036854775809",
          "9223372036854775807.0",
          "12345678901234567890",
          "1e30",
          "3.5e38",
          "1e300",
          "0.1",
          "0.30000000000000004",
          "999999999",
          "1000000000",
          "1e-300");

  private final RandomGenerator random;
  private final JsonNode root;
  private final References references;

  public Samples(JsonNode root, RandomGenerator random) {
    this.root = root;
    this.random = random;
    references = new References(root);
  }

  public JsonNode fitting() {
    return fitting(root, 0);
  }

  private JsonNode fitting(JsonNode schema, int depth) {
    if (!schema.isObject() || depth > 8 || random.nextInt(60) == 0) {
      return anything(depth);
    }
    if (schema.has("enum")) {
      return pick(new ArrayList<>(schema.path("enum").values()), depth);
    }
    if (schema.has("const")) {
      return schema.path("const");
    }
    if (schema.has("$ref")) {
      JsonNode target = references.target(schema);
      return target == null ? anything(depth) : fitting(target, depth + 1);
    }
    for (String union : List.of("anyOf", "oneOf", "allOf")) {
      if (schema.has(union) && (!schema.has("properties") || random.nextInt(3) == 0)) {
        return fitting(pick(new ArrayList<>(schema.path(union).values()), depth), depth + 1);
      }
    }
    JsonNode type = schema.path("type");
    String name =
        type.isArray() ? type.get(random.nextInt(type.size())).stringValue() : type.asString("");
    return switch (name) {
      case "object" -> object(schema, depth);
      case "array" -> array(schema, depth);
      case "string" -> string(schema);
      case "integer", "number" -> number(schema);
      case "boolean" -> NODES.booleanNode(random.nextBoolean());
      case "null" -> NODES.nullNode();
      default -> anything(depth);
    };
  }

  private JsonNode pick(List<JsonNode> list, int depth) {
    return list.isEmpty() ? anything(depth) : list.get(random.nextInt(list.size()));
  }

  private JsonNode object(JsonNode schema, int depth) {
    ObjectNode object = Codec.object();
    List<String> required = new ArrayList<>();
    schema.path("required").forEach(each -> required.add(each.stringValue()));
    schema
        .path("properties")
        .forEachEntry((name, property) -> {
          if (required.contains(name) || (depth < 6 && random.nextInt(3) > 0)) {
            object.set(name, fitting(property, depth + 1));
          }
        });
    boolean closed =
        schema.path("additionalProperties").isBoolean()
            && !schema.path("additionalProperties").booleanValue();
    if (!closed && random.nextBoolean()) {
      for (int i = random.nextInt(3); i >= 0 && depth < 6; i--) {
        JsonNode names = schema.path("propertyNames").path("enum");
        String name =
            names.isEmpty()
                ? "k" + random.nextInt(4)
                : names.get(random.nextInt(names.size())).stringValue();
        object.set(name, fitting(schema.path("additionalProperties"), depth + 1));
      }
    }
    return object;
  }

  private JsonNode array(JsonNode schema, int depth) {
    ArrayNode array = NODES.arrayNode();
    int size = depth > 6 ? 0 : random.nextInt(4);
    size = Math.max(size, schema.path("minItems").asInt(0));
    for (int i = 0; i < size; i++) {
      JsonNode prefix = schema.path("prefixItems").path(i);
      array.add(fitting(prefix.isMissingNode() ? schema.path("items") : prefix, depth + 1));
    }
    return array;
  }

  private JsonNode string(JsonNode schema) {
    StringShape shape = StringShape.stated(schema);
    for (int i = 0; i < 200; i++) {
      JsonNode text = NODES.stringNode(TEXTS.get(random.nextInt(TEXTS.size())));
      if (shape.accepts(text, new Faults())) {
        return text;
      }
    }
    return NODES.stringNode("none fits");
  }

  private JsonNode number(JsonNode schema) {
    boolean whole = schema.path("type").asString("").equals("integer");
    NumberShape shape = new NumberShape(Limits.of(schema), NumberShape.Kind.NONE);
    for (int i = 0; i < 50; i++) {
      JsonNode number = number(NUMBERS.get(random.nextInt(NUMBERS.size())));
      if (shape.accepts(number, new Faults()) && (!whole || Numbers.whole(number.decimalValue()))) {
        return number;
      }
    }
    return NODES.numberNode(1);
  }

  public static JsonNode number(String text) {
    return text.matches("-?\\d+")
        ? NODES.numberNode(new BigInteger(text))
        : NODES.numberNode(new BigDecimal(text));
  }

  JsonNode anything(int depth) {
    return switch (random.nextInt(depth > 4 ? 5 : 7)) {
      case 0 -> NODES.nullNode();
      case 1 -> NODES.booleanNode(random.nextBoolean());
      case 2, 3 -> NODES.stringNode(TEXTS.get(random.nextInt(TEXTS.size())));
      case 4 -> number(NUMBERS.get(random.nextInt(NUMBERS.size())));
      case 5 -> NODES.arrayNode().add(anything(depth + 1));
      default -> Codec.object().set("k" + random.nextInt(4), anything(depth + 1));
    };
  }

  /// The value with one thing changed somewhere.
  public JsonNode mutated(JsonNode value) {
    if (!value.isContainer()
        || (value.isEmpty() && random.nextBoolean())
        || random.nextInt(12) == 0) {
      return anything(3);
    }
    if (value.isArray()) {
      ArrayNode array = value.deepCopy().asArray();
      if (array.isEmpty() || random.nextInt(4) == 0) {
        return array.add(array.isEmpty() ? anything(3) : array.get(0));
      }
      int at = random.nextInt(array.size());
      array.set(at, mutated(array.get(at)));
      return array;
    }
    return mutated(value.deepCopy().asObject());
  }

  private JsonNode mutated(ObjectNode object) {
    List<String> names = new ArrayList<>(object.propertyNames());
    if (names.isEmpty()) {
      return object.set("k0", anything(3));
    }
    String name = names.get(random.nextInt(names.size()));
    switch (random.nextInt(6)) {
      case 0 -> object.remove(name);
      case 1 -> object.set(name + "x", anything(3));
      case 2 -> object.set(name, NODES.nullNode());
      default -> object.set(name, mutated(object.get(name)));
    }
    return object;
  }

  /// The value as a text, its members in another order.
  public String text(JsonNode value) {
    return random.nextInt(3) == 0 ? shuffled(value).toString() : value.toString();
  }

  private JsonNode shuffled(JsonNode value) {
    if (value.isArray()) {
      ArrayNode array = NODES.arrayNode();
      value.forEach(item -> array.add(shuffled(item)));
      return array;
    }
    if (!value.isObject()) {
      return value;
    }
    List<String> names = new ArrayList<>(value.propertyNames());
    Collections.shuffle(names, Random.from(random));
    ObjectNode object = Codec.object();
    names.forEach(name -> object.set(name, shuffled(value.get(name))));
    return object;
  }
}
