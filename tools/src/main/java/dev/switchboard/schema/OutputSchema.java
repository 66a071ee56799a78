package dev.switchboard.schema;

import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolSchemaException;

/// The schema of a typed tool's answers.
public final class OutputSchema {
  private OutputSchema() {}

  /// The schema of the type; optional components may be missing or null.
  ///
  /// @throws ToolSchemaException when part of the type has no JSON Schema
  public static Json of(Class<?> type) {
    return Json.of(RecordSchemas.of(type.getSimpleName(), type, Mode.OUTPUT).schema());
  }
}
