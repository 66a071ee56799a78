package dev.switchboard.handler;

import dev.switchboard.json.Json;
import org.jspecify.annotations.Nullable;

/// Valid arguments, as a handler is given them.
///
/// @param json the object, as the model wrote it
/// @param bound the typed tool's record, null for a dynamic tool
public record Arguments(Json json, @Nullable Object bound) {}
