package dev.switchboard.openapi;

import dev.switchboard.json.Json;
import dev.switchboard.rest.HttpEndpoint;
import dev.switchboard.tool.ToolMode;
import org.jspecify.annotations.Nullable;

/// A tool made from an operation.
///
/// @param operation its id in the document, or its method and path
/// @param parameters the JSON Schema of its arguments
/// @param mode null for the one that its method implies
/// @param endpoint that answers, without a client yet
/// @param lost what of the operation the tool does not have, as the rest of a sentence; null for
///   nothing
public record OpenApiTool(
    String operation,
    String name,
    String description,
    Json parameters,
    @Nullable ToolMode mode,
    HttpEndpoint.Builder endpoint,
    @Nullable String lost) {}
