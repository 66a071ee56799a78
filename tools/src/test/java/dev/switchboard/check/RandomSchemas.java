package dev.switchboard.check;

import dev.switchboard.json.Codec;
import java.util.List;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Random schemas of all keywords that say something of a value.
final class RandomSchemas {
  private static final List<String> TYPES =
      List.of("object", "array", "string", "integer", "number", "boolean", "null");
  private static final List<String> PATTERNS =
      List.of("^[a-z]+$", "\\d", "\\S", "^.{2,3}$", "^[A-Z]{2,3}-?", "x|y", "^\\p{L}*$", "\\u00fc");
  private static final List<String> FORMATS =
      List.of("date", "time", "date-time", "email", "uuid", "ipv4", "ipv6", "unheard-of");

  private final RandomGenerator random;
  private final Samples samples;

  RandomSchemas(RandomGenerator random) {
    this.random = random;
    samples = new Samples(Codec.object(), random);
  }

  ObjectNode next() {
    ObjectNode definitions = Codec.object();
    definitions.set("a", schema(2));
    definitions.set("b", schema(1));
    ObjectNode root = Codec.object().put("type", "object");
    object(root, 0);
    if (one(4)) {
      applicators(root, 1);
    }
    if (one(3)) {
      conditions(root, 1);
    }
    root.set("$defs", definitions);
    return root;
  }

  private boolean one(int in) {
    return random.nextInt(in) == 0;
  }

  private JsonNode schema(int depth) {
    if (one(25)) {
      return JsonNodeFactory.instance.booleanNode(random.nextBoolean());
    }
    ObjectNode schema = Codec.object();
    if (one(8)) {
      return schema.put("$ref", one(3) ? "#" : one(2) ? "#/$defs/a" : "#/$defs/b");
    }
    types(schema);
    for (String type : List.of("object", "array", "string", "number")) {
      if (schema.path("type").toString().contains(type)
          || (type.equals("number") && schema.path("type").toString().contains("integer"))
          || one(12)) {
        keywords(type, schema, depth);
      }
    }
    if (one(8)) {
      constants(schema);
    }
    if (one(5) && depth < 3) {
      applicators(schema, depth + 1);
    }
    if (one(6) && depth < 3) {
      conditions(schema, depth + 1);
    }
    return schema.put("description", "any");
  }

  private void types(ObjectNode schema) {
    switch (random.nextInt(6)) {
      case 0 -> {}
      case 1 -> {
        ArrayNode types = schema.putArray("type");
        int first = random.nextInt(TYPES.size());
        types
            .add(TYPES.get(first))
            .add(TYPES.get((first + 1 + random.nextInt(TYPES.size() - 1)) % TYPES.size()));
      }
      default -> schema.put("type", TYPES.get(random.nextInt(TYPES.size())));
    }
  }

  private void keywords(String type, ObjectNode schema, int depth) {
    switch (type) {
      case "object" -> object(schema, depth);
      case "array" -> array(schema, depth);
      case "string" -> string(schema);
      default -> number(schema);
    }
  }

  private void object(ObjectNode schema, int depth) {
    ObjectNode properties = Codec.object();
    ArrayNode required = JsonNodeFactory.instance.arrayNode();
    for (int i = depth > 2 ? 0 : random.nextInt(4); i >= 0; i--) {
      properties.set("k" + i, schema(depth + 1));
      if (one(2)) {
        required.add("k" + i);
      }
    }
    schema.set("properties", properties);
    if (!required.isEmpty()) {
      schema.set("required", required);
    }
    if (one(2)) {
      schema.set(
          "additionalProperties",
          one(3) ? schema(depth + 1) : JsonNodeFactory.instance.booleanNode(one(3)));
    }
    if (one(8)) {
      schema.put("minProperties", random.nextInt(3)).put("maxProperties", 2 + random.nextInt(3));
    }
  }

  private void array(ObjectNode schema, int depth) {
    if (!one(5)) {
      schema.set("items", schema(depth + 1));
    }
    if (one(6)) {
      schema.putArray("prefixItems").add(schema(depth + 1)).add(schema(depth + 1));
    }
    if (one(4)) {
      schema.put("minItems", random.nextInt(3));
    }
    if (one(4)) {
      schema.put("maxItems", random.nextInt(4));
    }
    if (one(4)) {
      schema.put("uniqueItems", random.nextBoolean());
    }
  }

  private void string(ObjectNode schema) {
    if (one(4)) {
      schema.put("minLength", random.nextInt(4));
    }
    if (one(4)) {
      schema.put("maxLength", 1 + random.nextInt(12));
    }
    if (one(4)) {
      schema.put("pattern", PATTERNS.get(random.nextInt(PATTERNS.size())));
    }
    if (one(4)) {
      schema.put("format", FORMATS.get(random.nextInt(FORMATS.size())));
    }
  }

  private void number(ObjectNode schema) {
    if (one(3)) {
      schema.put(one(3) ? "exclusiveMinimum" : "minimum", random.nextInt(5) - 2);
    }
    if (one(3)) {
      schema.set(one(3) ? "exclusiveMaximum" : "maximum", Samples.number(one(2) ? "4.7" : "21"));
    }
    if (one(6)) {
      schema.set("multipleOf", Samples.number(one(2) ? "0.5" : "2"));
    }
  }

  private void constants(ObjectNode schema) {
    if (one(3)) {
      schema.set("const", samples.anything(4));
    } else {
      JsonNode fitting = new Samples(schema, random).fitting();
      ArrayNode constants = schema.putArray("enum").add(fitting);
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        constants.add(samples.anything(4));
      }
    }
  }

  private void conditions(ObjectNode schema, int depth) {
    switch (random.nextInt(9)) {
      case 0 -> schema.set("not", schema(depth + 1));
      case 1 -> List.of("if", "then", "else").forEach(word -> schema.set(word, schema(depth + 1)));
      case 2 -> schema.putObject("patternProperties").set("^k[12]", schema(depth + 1));
      case 3 -> schema.putObject("propertyNames").put("pattern", one(2) ? "^k" : "[0-2]$");
      case 4 -> {
        schema.set("contains", schema(depth + 1));
        if (one(2)) {
          schema.put("minContains", random.nextInt(2)).put("maxContains", 2);
        }
      }
      case 5 -> schema.putObject("dependentRequired").putArray("k0").add("k1");
      case 6 -> schema.putObject("dependentSchemas").set("k1", schema(depth + 1));
      case 7 -> {
        schema.put("unevaluatedItems", false);
        array(schema, depth + 1);
        applicators(schema, depth + 1);
      }
      default -> {
        schema.put("unevaluatedProperties", false);
        applicators(schema, depth + 1);
      }
    }
  }

  private void applicators(ObjectNode schema, int depth) {
    String keyword = List.of("anyOf", "oneOf", "allOf").get(random.nextInt(3));
    ArrayNode branches = schema.putArray(keyword);
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      if (one(4)) {
        ObjectNode branch = Codec.object();
        branch.putArray("required").add("k" + random.nextInt(3));
        branches.add(branch);
      } else {
        branches.add(schema(depth + 1));
      }
    }
  }
}
