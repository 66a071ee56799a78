package dev.switchboard.config.tool;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.config.FileTable;
import dev.switchboard.config.FileTable.StatedSchema;
import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.schema.ParameterSchema;
import dev.switchboard.text.Placeholders;
import dev.switchboard.tool.ToolSchemaException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The parameters of a tool as its definition states them.
record Parameters(StatedSchema schema) {
  private static final Json NONE = Json.text("{\"type\":\"object\",\"properties\":{}}");

  /// Those of a tool that states none.
  private record Absent(StatedValue place) implements StatedSchema {
    @Override
    public Json json() {
      return NONE;
    }

    @Override
    public StatedValue at(String sentence) {
      return place;
    }
  }

  /// A table, a JSON text or a file; empty if both keys are absent, null if the file cannot be
  /// read.
  static @Nullable Parameters read(ToolKeys tool, FileTable.Context context) {
    StatedValue stated = tool.parameters();
    StatedValue file = tool.parametersFile();
    if (stated == null && file == null) {
      return new Parameters(new Absent(tool.at()));
    }
    if (stated != null && file != null) {
      file.report(
          Severity.ERROR,
          FaultClass.TOOL_DEFINITION,
          tool.at().path() + " has both 'parameters' and 'parameters_file'");
    }
    StatedSchema schema = context.schema(stated, file);
    return schema == null ? null : new Parameters(schema);
  }

  Json json() {
    return schema.json();
  }

  /// Reports why they are not the schema of an object, and probable mistakes.
  ///
  /// @param foreign whether others made them, so that what cannot be checked is left to what
  ///   answers
  void check(String tool, boolean strict, boolean foreign) {
    try {
      if (foreign) {
        for (String sentence : ParameterSchema.foreign(tool, json()).warnings()) {
          schema.at(sentence).warning(FaultClass.TOOL_SCHEMA, sentence);
        }
      } else {
        for (String sentence : ParameterSchema.parse(tool, json(), strict).warnings()) {
          schema.at(sentence).warning(FaultClass.TOOL_SCHEMA, sentence);
        }
      }
    } catch (ToolSchemaException e) {
      for (String sentence : e.faults()) {
        String shown = sentence.equals(notAnObject(tool)) ? sentence + shape() : sentence;
        schema.at(sentence).report(Severity.ERROR, FaultClass.TOOL_SCHEMA, shown);
      }
    }
    try {
      json().check();
    } catch (JsonException e) {
      schema.at("").bad(String.valueOf(e.getMessage()));
    }
  }

  private static String notAnObject(String tool) {
    return "tool '" + tool + "': `parameters` must be a JSON Schema of type 'object'.";
  }

  /// Reports placeholders that are not parameters of the tool.
  ///
  /// @param parameters the schema of the tool, null if it cannot be read
  static void checkPlaceholders(StatedValue value, String text, @Nullable Json parameters) {
    for (String name : Placeholders.in(text)) {
      if (parameters != null && !parameters.tree().path("properties").has(name)) {
        value.bad("has '{" + name + "}', which is not one of the tool's parameters");
      }
    }
  }

  /// How to write parameters that are listed without a schema.
  private String shape() {
    try {
      JsonNode stated = json().tree();
      boolean fields =
          stated.isObject()
              && !stated.isEmpty()
              && !stated.has("type")
              && !stated.has("properties");
      return fields ? " Write { type = \"object\", properties = { .. } } around the fields." : "";
    } catch (JsonException e) {
      return ""; // reported separately
    }
  }
}
