package dev.switchboard.schema;

import dev.switchboard.check.Plan;
import dev.switchboard.json.Codec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A Java type at one place: the schema that the model reads, and the plan that checks and binds.
record Typed(ObjectNode schema, Plan plan) {
  /// A placeholder where there is a fault, so that others are found too.
  static Typed anything() {
    return new Typed(Codec.object(), Plan.ANYTHING);
  }

  /// The schema with null allowed.
  ObjectNode nullable() {
    JsonNode type = schema.path("type");
    if (schema.isEmpty()) {
      return schema;
    }
    if (!type.isString()
        || schema.has("properties")
        || schema.has("oneOf")
        || schema.has("const")) {
      ObjectNode either = Codec.object();
      either.putArray("anyOf").add(schema).addObject().put("type", "null");
      return either;
    }
    String name = type.stringValue();
    schema.putArray("type").add(name).add("null");
    if (schema.get("enum") instanceof ArrayNode constants) {
      constants.addNull();
    }
    return schema;
  }
}
