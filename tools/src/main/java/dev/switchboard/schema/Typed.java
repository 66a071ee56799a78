package dev.switchboard.schema;

import dev.switchboard.check.Plan;
import dev.switchboard.json.Codec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A use of a Java type: its schema for the model, and the plan that checks and binds values.
record Typed(ObjectNode schema, Plan plan) {
  /// A placeholder for a type with a fault, so that further faults are found.
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
