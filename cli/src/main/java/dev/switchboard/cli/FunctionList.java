package dev.switchboard.cli;

import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The definitions of functions in a text, wherever it keeps them, and the forms that are
/// recognized by their shape.
final class FunctionList {
  /// Where a definition has its schema, and whose form that is.
  private static final Map<String, String> SCHEMAS =
      Map.of(
          "parameters", "OpenAI's",
          "input_schema", "Anthropic's",
          "inputSchema", "MCP's");

  private FunctionList() {}

  /// The definitions: of a request, of a list, or the single one.
  ///
  /// @throws IllegalArgumentException when they have a form that is not read, with the rest of a
  ///   sentence and the remedy
  static List<JsonNode> of(JsonNode text) {
    JsonNode list = text;
    for (String holder : List.of("toolConfig", "tools", "functions")) {
      list = list.path(holder).isContainer() ? list.path(holder) : list;
    }
    List<JsonNode> stated = new ArrayList<>();
    if (list.isArray()) {
      list.forEach(stated::add);
    } else {
      stated.add(list);
    }
    refuse(stated);
    return stated;
  }

  private static void refuse(List<JsonNode> stated) {
    for (JsonNode function : stated) {
      for (String member : List.of("functionDeclarations", "function_declarations")) {
        if (function.has(member)) {
          throw new IllegalArgumentException(
              "has the tools of Gemini: write each of '%s' as { name, description, parameters }"
                      .formatted(member)
                  + " with types in small letters, and state openai");
        }
      }
      if (function.has("toolSpec")) {
        throw new IllegalArgumentException(
            "has the tools of Amazon Bedrock: write each 'toolSpec' as { name, description,"
                + " input_schema }, with the schema of 'inputSchema.json', and state anthropic");
      }
      if (isTable(function)) {
        throw new IllegalArgumentException(
            "has tools by their names: write a list, each tool with its 'name'");
      }
    }
  }

  /// Whether that is not a definition, but a table of definitions by name.
  private static boolean isTable(JsonNode function) {
    return function.isObject()
        && !function.isEmpty()
        && !function.has("function")
        && function.valueStream().allMatch(value -> value.isObject() && schemaOf(value) != null);
  }

  /// The member of that definition that has its schema, null if none has.
  static @Nullable String schemaOf(JsonNode function) {
    for (String member : List.of("parameters", "input_schema", "inputSchema")) {
      if (function.has(member)) {
        return member;
      }
    }
    return null;
  }

  /// The schema of that member, which may be wrapped, or written as a text; null if it is not one.
  static @Nullable JsonNode schema(JsonNode stated) {
    if (stated.isString()) {
      try {
        JsonNode read = Json.text(stated.stringValue()).tree();
        return read.isObject() ? read : null;
      } catch (JsonException e) {
        return null;
      }
    }
    JsonNode wrapped = stated.path("jsonSchema");
    return wrapped.isObject() ? wrapped : stated.isObject() ? stated : null;
  }

  /// Whether that says anything at all.
  static boolean isStated(JsonNode schema) {
    return schema.isContainer() ? !schema.isEmpty() : schema.isValueNode() && !schema.isNull();
  }

  /// Whose form a schema in that member is.
  static String owner(String member) {
    return SCHEMAS.getOrDefault(member, "another");
  }

  /// Whether that is only the schema of arguments, as some libraries print it.
  static boolean isBareSchema(JsonNode stated) {
    return stated.path("type").asString("").equals("object")
        && (stated.has("properties") || stated.has("title"))
        && schemaOf(stated) == null;
  }
}
