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
final class ModelView {
  /// @param told sentences for the tool's description, empty for none
  private record Read(Json parameters, String told) {}

  private final Json whole;
  private final boolean foreign;
  private final ParameterNames names;
  private final Read read;
  private final boolean same;

  private ModelView(Json whole, boolean foreign, ParameterNames names) {
    this.whole = whole;
    this.foreign = foreign;
    this.names = names;
    read = read(whole);
    same = names.areKept() && read.told.isEmpty() && read.parameters.equals(whole);
  }

  /// The view of those parameters.
  ///
  /// @param foreign whether others made them
  static ModelView of(Json parameters, boolean foreign) {
    return new ModelView(parameters, foreign, ParameterNames.of(parameters.tree()));
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
    ObjectNode renamed = names.areKept() ? valid : RenamedSchema.of(valid, names);
    FlatSchema flat = FlatSchema.of(renamed);
    ObjectNode whole = flat.schema();
    if (foreign && !whole.has("properties")) {
      whole = Codec.object().setAll(whole);
      whole.putObject("properties"); // some APIs refuse an object without them
    }
    boolean kept = whole.equals(schema);
    return new Read(kept ? parameters : Json.of(whole), flat.told());
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
    return now.told.isEmpty() ? seen : seen.withDescription(joined(tool, now));
  }

  private static String joined(ToolDefinition tool, Read now) {
    return tool.description().isEmpty() ? now.told : tool.description() + "\n" + now.told;
  }
}
