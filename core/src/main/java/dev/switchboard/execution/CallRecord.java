package dev.switchboard.execution;

import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/// A settled call, for the record.
///
/// @param at when it was settled
/// @param mode of its tool; of an unknown one, what the name suggests
/// @param attempts made, 0 when its handler never began
/// @param took from the start of the first attempt to the end
/// @param attributes of its conversation, as the host has set them
public record CallRecord(
    Instant at,
    String conversationId,
    ToolCall call,
    ToolMode mode,
    ToolResult result,
    int attempts,
    Duration took,
    Map<String, String> attributes) {}
