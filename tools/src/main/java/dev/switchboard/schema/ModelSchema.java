package dev.switchboard.schema;

import dev.switchboard.check.ValidSchema;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolDefinition;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What a model reads of a tool's parameters: a schema that model APIs accept, since they refuse
/// all tools for one that they do not. Immutable.
final class ModelSchema {
  /// @param sentences for the tool's description, empty for none
  private record Read(Json parameters, String sentences) {}

  private final Json whole;
  private final boolean foreign;
  private final ParameterNames names;
  private final Json valid;
  private final Read read;
  private final boolean same;

  private ModelSchema(Json whole, boolean foreign, ParameterNames names) {
    this.whole = whole;
    this.foreign = foreign;
    this.names = names;
    valid = valid(whole, foreign);
    read = read(whole);
    boolean kept = names.areKept() && read.sentences.isEmpty();
    same = kept && read.parameters.equals(whole) && valid.equals(whole);
  }

  /// The view of those parameters.
  ///
  /// @param foreign whether others made them
  static ModelSchema of(Json parameters, boolean foreign) {
    return new ModelSchema(parameters, foreign, ParameterNames.of(parameters.tree()));
  }

  ParameterNames names() {
    return names;
  }

  /// Whether it is the schema itself.
  boolean isSame() {
    return same;
  }

  private Read read(Json parameters) {
    JsonNode stated = parameters.tree();
    if (!(stated instanceof ObjectNode schema)) {
      return new Read(parameters, "");
    }
    ObjectNode valid = foreign || schema.has("$schema") ? ValidSchema.of(schema, foreign) : schema;
    RenamedSchema.Renamed renamed =
        names.areKept() ? new RenamedSchema.Renamed(valid, "") : RenamedSchema.of(valid, names);
    FlatSchema flat = FlatSchema.of(renamed.schema());
    ObjectNode whole = withObjects(ofObject(flat.schema(), foreign));
    boolean kept = whole.equals(schema);
    return new Read(
        kept ? parameters : Json.of(whole), lines(flat.sentences(), renamed.sentence()));
  }

  /// That schema without what clients with checks of their own refuse.
  ///
  /// @param foreign whether others made it
  static Json valid(Json schema, boolean foreign) {
    if (!(schema.tree() instanceof ObjectNode stated)) {
      return schema;
    }
    ObjectNode good = foreign ? ofObject(ValidSchema.of(stated, true), false) : stated;
    ObjectNode out = withObjects(good);
    return out.equals(stated) ? schema : Json.of(out);
  }

  /// The tool, as clients with checks of their own read it.
  ///
  /// @param tool with the whole parameters, or with narrower ones
  ToolDefinition stated(ToolDefinition tool) {
    if (same) {
      return tool;
    }
    Json now = tool.parameters().equals(whole) ? valid : valid(tool.parameters(), foreign);
    return now.equals(tool.parameters()) ? tool : tool.withParameters(now, tool.examples());
  }

  /// The schema with what readers require: its type, which a `$ref` hides in older dialects, and in
  /// one of others its properties.
  private static ObjectNode ofObject(ObjectNode schema, boolean foreign) {
    boolean typed = schema.path("type").asString("").equals("object");
    boolean lacksProperties = foreign && !schema.has("properties");
    if (typed && !lacksProperties) {
      return schema;
    }
    ObjectNode out = typed ? Codec.object() : Codec.object().put("type", "object");
    out.setAll(schema).put("type", "object");
    if (lacksProperties) {
      out.putObject("properties"); // some APIs refuse an object without them
    }
    return out;
  }

  /// The schema with objects for its properties: some readers refuse `true` and `false`.
  private static ObjectNode withObjects(ObjectNode schema) {
    JsonNode stated = schema.path("properties");
    if (stated.valueStream().allMatch(JsonNode::isObject)) {
      return schema;
    }
    ObjectNode properties = Codec.object();
    stated.forEachEntry(
        (name, property) -> properties.set(name, property.isObject() ? property : not(property)));
    return Codec.object().setAll(schema).set("properties", properties);
  }

  private static ObjectNode not(JsonNode property) {
    ObjectNode out = Codec.object();
    if (property.isBoolean() && !property.booleanValue()) {
      out.putObject("not");
    }
    return out;
  }

  /// The tool, as the model reads it.
  ///
  /// @param tool with the whole parameters, or with narrower ones
  ToolDefinition of(ToolDefinition tool) {
    if (same) {
      return tool;
    }
    Read now = tool.parameters().equals(whole) ? read : read(tool.parameters());
    List<Json> examples =
        names.areKept() ? tool.examples() : tool.examples().stream().map(names::renamed).toList();
    ToolDefinition seen = tool.withParameters(now.parameters, examples);
    return now.sentences.isEmpty() ? seen : seen.withDescription(joined(tool, now));
  }

  private static String joined(ToolDefinition tool, Read now) {
    return lines(tool.description(), now.sentences);
  }

  private static String lines(String one, String other) {
    return one.isEmpty() || other.isEmpty() ? one + other : one + "\n" + other;
  }
}
