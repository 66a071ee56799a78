package dev.switchboard.cli;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.schema.ParameterSchema;
import dev.switchboard.schema.ToolNames;
import dev.switchboard.text.JsonPointer;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// An OpenAPI document of tools. Definitions of their schemas are its components, and references
/// are pointers of the document.
final class ExportedDocument {
  private static final List<String> DEFINITIONS = List.of("$defs", "definitions");

  private final ObjectNode document = Codec.object().put("openapi", "3.1.0");
  private final ObjectNode components = Codec.object();

  private ExportedDocument() {}

  /// @param title of the agent
  static ObjectNode of(String title, List<ToolDefinition> definitions) {
    ExportedDocument exported = new ExportedDocument();
    exported.document.putObject("info").put("title", title).put("version", "1");
    ObjectNode paths = exported.document.putObject("paths");
    for (ToolDefinition definition : definitions) {
      String path = "/tools/" + definition.name();
      paths.putObject(path).set("post", exported.operation(path, definition));
    }
    if (!exported.components.isEmpty()) {
      exported.document.putObject("components").set("schemas", exported.components);
    }
    return exported.document;
  }

  private ObjectNode operation(String path, ToolDefinition definition) {
    ObjectNode operation = Codec.object();
    operation.put("operationId", definition.name()).put("description", definition.description());
    if (definition.mode() == ToolMode.DESTRUCTIVE) {
      operation.put("x-destructive", true);
    }
    String place = "#/paths/" + JsonPointer.step(path) + "/post/";
    ObjectNode body = operation.putObject("requestBody").put("required", true);
    add(body, place + "requestBody", definition.name(), definition.parameters());
    ObjectNode answer =
        operation.putObject("responses").putObject("200").put("description", "The result.");
    Json output = definition.output();
    if (output != null) {
      add(answer, place + "responses/200", definition.name() + ".result", output);
    }
    return operation;
  }

  /// Adds that schema as the content.
  ///
  /// @param place of `holder`
  /// @param name before the names of its definitions
  private void add(ObjectNode holder, String place, String name, Json schema) {
    JsonNode stated = schema.tree();
    Map<String, String> moved = new LinkedHashMap<>(); // places of definitions
    for (String word : DEFINITIONS) {
      for (String key : stated.path(word).propertyNames()) {
        String component = free(name + "." + ToolNames.plain(key));
        components.putObject(component);
        moved.put("#/" + word + "/" + JsonPointer.step(key), component);
      }
    }
    String whole = place + "/content/application~1json/schema";
    ObjectNode out = Codec.object();
    ParameterSchema.referring(schema, reference -> reference(reference, moved, whole))
        .tree()
        .forEachEntry((word, value) -> {
          if (!DEFINITIONS.contains(word)) {
            out.set(word, value);
            return;
          }
          value.forEachEntry((key, part) -> {
            String component = moved.get("#/" + word + "/" + JsonPointer.step(key));
            if (component != null) {
              components.set(component, part);
            }
          });
        });
    holder.putObject("content").putObject("application/json").set("schema", out);
  }

  private String free(String name) {
    String free = name;
    for (int i = 2; components.has(free); i++) {
      free = name + "_" + i;
    }
    return free;
  }

  private static String reference(String stated, Map<String, String> moved, String whole) {
    if (stated.equals("#")) {
      return whole;
    }
    if (!stated.startsWith("#/")) {
      return stated;
    }
    String[] steps = stated.split("/", 4);
    String component =
        steps.length < 3 ? null : moved.get("#/" + steps[1] + "/" + JsonPointer.decoded(steps[2]));
    String rest = steps.length < 4 ? "" : "/" + steps[3];
    return component == null
        ? whole + stated.substring(1)
        : "#/components/schemas/" + component + rest;
  }
}
