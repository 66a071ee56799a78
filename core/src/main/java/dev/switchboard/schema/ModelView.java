package dev.switchboard.schema;

import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolDefinition;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What a model reads of a tool's parameters. Immutable.
final class ModelView {
  private final Json whole;
  private final ParameterNames names;

  /// What is read of the whole schema; itself where nothing has to change.
  private final Json read;

  private ModelView(Json whole, ParameterNames names) {
    this.whole = whole;
    this.names = names;
    read = read(whole);
  }

  /// The view of those parameters.
  static ModelView of(Json parameters) {
    return new ModelView(parameters, ParameterNames.of(parameters.tree()));
  }

  ParameterNames names() {
    return names;
  }

  /// Whether it is the schema itself.
  boolean isSame() {
    return names.areKept();
  }

  private Json read(Json parameters) {
    JsonNode stated = parameters.tree();
    return names.areKept() || !(stated instanceof ObjectNode schema)
        ? parameters
        : Json.of(RenamedSchema.of(schema, names));
  }

  /// The tool, as the model reads it.
  ///
  /// @param tool with the whole parameters, or with narrower ones
  ToolDefinition of(ToolDefinition tool) {
    if (isSame()) {
      return tool;
    }
    Json parameters = tool.parameters().equals(whole) ? read : read(tool.parameters());
    List<Json> examples = tool.examples().stream().map(names::renamed).toList();
    return tool.withParameters(parameters, examples);
  }
}
