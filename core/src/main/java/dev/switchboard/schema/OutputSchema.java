package dev.switchboard.schema;

import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolSchemaException;

/// The schema of what a typed tool answers.
public final class OutputSchema {
  private OutputSchema() {}

  /// The schema of the type; optional components may be left out or null.
  ///
  /// @throws ToolSchemaException when the type holds something that has no schema
  public static Json of(Class<?> type) {
    return Json.of(RecordSchemas.of(type.getSimpleName(), type, Mode.OUTPUT).schema());
  }
}
