package dev.switchboard.cli;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.schema.ParameterSchema;
import dev.switchboard.schema.ToolNames;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Formats of tool definitions.
enum ToolForms {
  /// OpenAI's chat completions; reads also the format of its responses.
  OPENAI,
  ANTHROPIC,
  /// The result of `tools/list` of an MCP server.
  MCP,
  /// An OpenAPI document with each tool as an operation.
  OPENAPI;

  private static final Set<String> OF_OPENAI =
      Set.of("name", "description", "parameters", "strict", "type");
  private static final Set<String> OF_ANTHROPIC =
      Set.of("name", "description", "input_schema", "type", "strict");

  /// The definitions in that text, each as a table of an agent's file.
  ///
  /// @param said receives a sentence for everything that cannot be converted
  List<Json> read(JsonNode text, Consumer<String> said) {
    JsonNode list = text.path("tools").isArray() ? text.path("tools") : text;
    List<Json> tools = new ArrayList<>();
    int number = 0;
    for (JsonNode stated : list.isArray() ? list : List.of(list)) {
      String place = "tools[" + number++ + "]";
      ObjectNode tool =
          this == ANTHROPIC ? ofAnthropic(stated, place, said) : ofOpenAi(stated, place, said);
      if (tool != null) {
        tools.add(Json.of(tool));
      }
    }
    return tools;
  }

  private static @Nullable ObjectNode ofOpenAi(
      JsonNode stated, String place, Consumer<String> said) {
    if (!stated.path("type").asString("function").equals("function")) {
      said.accept(
          place
              + " is left out: '"
              + stated.path("type").asString("")
              + "' is a tool of OpenAI's own");
      return null;
    }
    JsonNode function = stated.path("function").isObject() ? stated.path("function") : stated;
    return tool(function, "parameters", OF_OPENAI, place, said);
  }

  private static @Nullable ObjectNode ofAnthropic(
      JsonNode stated, String place, Consumer<String> said) {
    if (!stated.has("input_schema")) {
      said.accept(place + " is left out: it has no 'input_schema'");
      return null;
    }
    return tool(stated, "input_schema", OF_ANTHROPIC, place, said);
  }

  private static @Nullable ObjectNode tool(
      JsonNode stated, String schema, Set<String> known, String place, Consumer<String> said) {
    String name = stated.path("name").asString("");
    boolean strict = stated.path("strict").asBoolean(false);
    JsonNode parameters =
        stated.path(schema).isObject()
            ? stated.path(schema)
            : Codec.object().put("type", "object").set("properties", Codec.object());
    String fault = name.isEmpty() ? "it has no name" : ToolNames.fault(name);
    List<String> faults =
        fault == null
            ? ParameterSchema.faultsOf(name, Json.of(parameters), strict)
            : List.of(fault);
    if (!faults.isEmpty()) {
      said.accept(place + " is left out: " + faults.getFirst());
      return null;
    }
    for (String member : stated.propertyNames()) {
      if (!known.contains(member)) {
        said.accept("tool '" + name + "': '" + member + "' is not kept");
      }
    }
    ObjectNode tool = Codec.object().put("name", name);
    if (!stated.path("description").asString("").isEmpty()) {
      tool.put("description", stated.path("description").asString(""));
    }
    if (strict) {
      tool.put("strict", true);
    }
    tool.set("parameters", parameters);
    return tool;
  }

  /// Those definitions in this format.
  ///
  /// @param title of the agent, for a document
  JsonNode write(String title, List<ToolDefinition> definitions) {
    ObjectNode holder = Codec.object();
    ArrayNode tools = holder.putArray("tools");
    for (ToolDefinition definition : definitions) {
      switch (this) {
        case OPENAI -> {
          ObjectNode function = tools.addObject().put("type", "function").putObject("function");
          named(function, definition).set("parameters", definition.parameters().tree());
          if (definition.strict()) {
            function.put("strict", true);
          }
        }
        case ANTHROPIC ->
            named(tools.addObject(), definition)
                .set("input_schema", definition.parameters().tree());
        case MCP -> mcp(tools.addObject(), definition);
        case OPENAPI -> {}
      }
    }
    return switch (this) {
      case OPENAI, ANTHROPIC -> tools;
      case MCP -> holder;
      case OPENAPI -> document(title, definitions);
    };
  }

  private static ObjectNode named(ObjectNode out, ToolDefinition definition) {
    return out.put("name", definition.name()).put("description", definition.description());
  }

  private static void mcp(ObjectNode out, ToolDefinition definition) {
    named(out, definition).set("inputSchema", definition.parameters().tree());
    if (definition.output() != null) {
      out.set("outputSchema", definition.output().tree());
    }
    ToolMode mode = definition.mode();
    out.putObject("annotations")
        .put("readOnlyHint", mode == ToolMode.READ)
        .put("destructiveHint", mode != ToolMode.READ && mode != ToolMode.SAFE_WRITE);
  }

  private static ObjectNode document(String title, List<ToolDefinition> definitions) {
    ObjectNode document = Codec.object().put("openapi", "3.1.0");
    document.putObject("info").put("title", title).put("version", "1");
    ObjectNode paths = document.putObject("paths");
    for (ToolDefinition definition : definitions) {
      ObjectNode operation = paths.putObject("/tools/" + definition.name()).putObject("post");
      operation.put("operationId", definition.name()).put("description", definition.description());
      if (definition.mode() == ToolMode.DESTRUCTIVE) {
        operation.put("x-destructive", true);
      }
      ObjectNode body = operation.putObject("requestBody").put("required", true);
      body.putObject("content")
          .putObject("application/json")
          .set("schema", definition.parameters().tree());
      ObjectNode answer =
          operation.putObject("responses").putObject("200").put("description", "The result.");
      if (definition.output() != null) {
        answer
            .putObject("content")
            .putObject("application/json")
            .set("schema", definition.output().tree());
      }
    }
    return document;
  }
}
