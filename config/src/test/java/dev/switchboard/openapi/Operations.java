package dev.switchboard.openapi;

import dev.switchboard.schema.ParameterSchema;

/// The operations of a document as they are read, their schemas checked.
final class Operations {
  private Operations() {}

  static OpenApiTools<OpenApiTool> of(OpenApiDocument document, OpenApiSettings settings) {
    return OpenApiTools.of(
        document,
        settings,
        tool -> {
          ParameterSchema unused = ParameterSchema.foreign(tool.name(), tool.parameters());
          return tool;
        });
  }
}
