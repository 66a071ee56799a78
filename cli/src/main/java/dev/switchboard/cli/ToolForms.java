package dev.switchboard.cli;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.schema.ParameterSchema;
import dev.switchboard.schema.ToolNames;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Formats of tool definitions.
enum ToolForms {
  /// OpenAI's chat completions; reads also the format of its responses, and what others write like
  /// it.
  OPENAI,
  ANTHROPIC,
  /// The result of `tools/list` of an MCP server.
  MCP,
  /// An OpenAPI document with each tool as an operation.
  OPENAPI;

  private static final int LONGEST_NAME = 64;
  private static final Set<String> OF_OPENAI =
      Set.of("name", "description", "parameters", "strict", "type");
  private static final Set<String> OF_ANTHROPIC =
      Set.of("name", "description", "input_schema", "type", "strict");

  /// The definitions in that text, each as a table of an agent's file.
  ///
  /// @param said receives a sentence for everything that cannot be converted
  List<Json> read(JsonNode text, Consumer<String> said) {
    List<JsonNode> list = FunctionList.of(text);
    List<Json> tools = new ArrayList<>();
    Set<String> taken = new HashSet<>();
    list.forEach(stated -> taken.add(function(stated).path("name").asString("")));
    Set<String> others = new LinkedHashSet<>();
    boolean openAi = this == OPENAI && list.stream().noneMatch(one -> one.has("input_schema"));
    ToolForms form = openAi ? OPENAI : ANTHROPIC;
    int number = 0;
    for (JsonNode stated : list) {
      String place = "tools[" + number++ + "]";
      String why = form.absence(stated);
      if (why != null) {
        said.accept(place + " is left out: " + why);
        continue;
      }
      ObjectNode tool = tool(function(stated), place, taken, others, said);
      if (tool != null) {
        tools.add(Json.of(tool));
      }
    }
    others.forEach(member ->
        said.accept(
            "These definitions have %s form ('%s'), and are read as such."
                .formatted(FunctionList.owner(member), member)));
    return tools;
  }

  /// @param others receives the members with schemas that are those of other forms
  private @Nullable ObjectNode tool(
      JsonNode function,
      String place,
      Set<String> taken,
      Set<String> others,
      Consumer<String> said) {
    String own = this == ANTHROPIC ? "input_schema" : "parameters";
    String found = FunctionList.schemaOf(function);
    String schema = found == null ? own : found;
    if (!schema.equals(own)) {
      others.add(schema);
    }
    Set<String> members = new HashSet<>(schema.equals("parameters") ? OF_OPENAI : OF_ANTHROPIC);
    members.add(schema);
    return tool(function, schema, members, place, taken, said);
  }

  /// Why there is no tool of that definition, as a clause; null if there is.
  private @Nullable String absence(JsonNode stated) {
    String type = stated.path("type").asString("function");
    if (FunctionList.isBareSchema(stated)) {
      return "it is only a schema: write { name, description, parameters }, with it as parameters";
    }
    if (FunctionList.schemaOf(function(stated)) != null) {
      return null;
    }
    if (this == ANTHROPIC) {
      return "it has no 'input_schema'";
    }
    return type.equals("function") ? null : "'" + type + "' is a tool of OpenAI's own";
  }

  private static JsonNode function(JsonNode stated) {
    return stated.path("function").isObject() ? stated.path("function") : stated;
  }

  private static @Nullable ObjectNode tool(
      JsonNode stated,
      String schema,
      Set<String> members,
      String place,
      Set<String> taken,
      Consumer<String> said) {
    String own = stated.path("name").asString("");
    String name = own.substring(0, Math.min(own.length(), LONGEST_NAME));
    boolean renamed = !own.isBlank() && ToolNames.fault(own) != null && !ToolNames.isReserved(own);
    if (renamed) {
      name = renamed(own, taken);
      said.accept("tool '" + name + "' is called '" + Plain.line(own) + "' there");
    }
    String fault = own.isBlank() ? "it has no name" : ToolNames.fault(name);
    if (fault != null) {
      said.accept(place + " is left out: " + fault);
      return null;
    }
    JsonNode found = FunctionList.schema(stated.path(schema));
    if (found == null && FunctionList.isStated(stated.path(schema))) {
      said.accept(place + " is left out: its '" + schema + "' is no JSON Schema");
      return null;
    }
    JsonNode parameters =
        found == null
            ? Codec.object().put("type", "object").set("properties", Codec.object())
            : found;
    for (String member : stated.propertyNames()) {
      if (!members.contains(member)) {
        said.accept("tool '" + name + "': '" + member + "' is not kept");
      }
    }
    ObjectNode tool = Codec.object().put("name", name);
    String about = stated.path("description").asString("");
    String description = renamed ? ToolNames.withOriginalName(about, own, "") : about;
    if (!description.isEmpty()) {
      tool.put("description", description);
    }
    Json whole = Json.of(parameters);
    if (stated.path("strict").asBoolean(false)) {
      if (ParameterSchema.faultsOf(name, whole, true).isEmpty()) {
        tool.put("strict", true);
      } else {
        said.accept("tool '" + name + "': 'strict' is not kept: its schema is not strict");
      }
    }
    imported(tool, whole, said);
    tool.set("parameters", parameters);
    return tool;
  }

  /// A valid name, which differs for different ones.
  private static String renamed(String own, Set<String> taken) {
    String digest = Json.text(own).digest().substring(0, 8);
    String plain = ToolNames.plain(own);
    boolean full = own.codePoints().allMatch(c -> c < 0x80);
    String usual = full && plain.length() <= LONGEST_NAME ? plain : "";
    return usual.isEmpty() || ToolNames.fault(usual) != null || !taken.add(usual)
        ? plain.substring(0, Math.min(plain.length(), LONGEST_NAME - digest.length() - 1))
            + "_"
            + digest
        : usual;
  }

  /// Marks the table of a tool whose schema has what cannot be checked, and says what that is.
  static void imported(ObjectNode table, Json parameters, Consumer<String> said) {
    String name = table.path("name").asString("");
    if (!ParameterSchema.faultsOf(name, parameters, false).isEmpty()) {
      table.put("imported", true);
    }
    ParameterSchema.foreign(name, parameters).warnings().forEach(said);
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
      case OPENAPI -> ExportedDocument.of(title, definitions);
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
}
