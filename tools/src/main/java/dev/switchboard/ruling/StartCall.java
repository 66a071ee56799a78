package dev.switchboard.ruling;

import dev.switchboard.json.Json;

/// A call of a start tool that the runtime makes.
public record StartCall(String tool, Json args) {}
