package dev.switchboard.execution;

import dev.switchboard.handler.Services;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.util.random.RandomGenerator;

/// What every running call of an executor shares.
record Environment(
    Time time,
    RandomGenerator random,
    Listeners listeners,
    boolean exposeErrors,
    Services services,
    Consents consents,
    Nested nested) {
  /// The way back to the door for a tool that calls another.
  interface Nested {
    ToolResult call(RunningCall outer, ToolCall call);
  }
}
