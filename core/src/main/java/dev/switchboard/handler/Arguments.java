package dev.switchboard.handler;

import dev.switchboard.json.Json;
import org.jspecify.annotations.Nullable;

/// Arguments that were found good: what a handler is given.
///
/// @param json the object, as the model wrote it
/// @param bound the same as the typed tool's record, null for a dynamic tool
public record Arguments(Json json, @Nullable Object bound) {}
