package dev.switchboard.tool;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What a model and a person see of a tool: everything but its handler.
///
/// @param name 1 to 64 letters, digits, underscores or hyphens
/// @param description empty for none
/// @param parameters the JSON Schema of its arguments, an object
/// @param strict whether the model must fill every member (OpenAI strict mode)
/// @param mode stated, or inferred from the name
/// @param output the JSON Schema of its answer, if known
/// @param usageRule a sentence for the prompt
/// @param examples example arguments
/// @param operationKey the argument that names the operation, null for a usual one
public record ToolDefinition(
    String name,
    String description,
    Json parameters,
    boolean strict,
    ToolMode mode,
    @Nullable Json output,
    @Nullable String usageRule,
    List<Json> examples,
    @Nullable String operationKey) {
  public ToolDefinition {
    examples = List.copyOf(examples);
  }

  /// This tool with other parameters and examples.
  public ToolDefinition withParameters(Json otherParameters, List<Json> otherExamples) {
    return new ToolDefinition(
        name,
        description,
        otherParameters,
        strict,
        mode,
        output,
        usageRule,
        otherExamples,
        operationKey);
  }

  /// This tool with another description.
  public ToolDefinition withDescription(String other) {
    return new ToolDefinition(
        name, other, parameters, strict, mode, output, usageRule, examples, operationKey);
  }

  /// The definition as an object: `name`, `description`, `parameters`, `mode`, and if present
  /// `strict`, `output`, `usageRule`, `examples`, `operationKey`.
  public Json json() {
    ObjectNode out = Codec.object();
    out.put("name", name);
    out.put("description", description);
    out.set("parameters", parameters.tree());
    out.put("mode", mode.word());
    if (strict) {
      out.put("strict", true);
    }
    if (output != null) {
      out.set("output", output.tree());
    }
    if (usageRule != null) {
      out.put("usageRule", usageRule);
    }
    if (!examples.isEmpty()) {
      ArrayNode list = out.putArray("examples");
      examples.forEach(example -> list.add(example.tree()));
    }
    if (operationKey != null) {
      out.put("operationKey", operationKey);
    }
    return Json.of(out);
  }
}
