package dev.switchboard.execution;

import dev.switchboard.tool.ToolResult;

/// What came of a call.
///
/// @param result final but for its text and its call's id, which settling adds where they are
///   missing
/// @param attempts made, 0 when it never started
/// @param health what the circuit breaker makes of it
/// @param nanos from the start of the first attempt to the end
record Outcome(ToolResult result, int attempts, Health health, long nanos) {
  /// How the tool did, in the eyes of its circuit breaker.
  enum Health {
    /// It answered, if only with no.
    ANSWERED,
    /// It failed.
    FAILED,
    /// The call says nothing of the tool: cancelled, or refused on our side.
    UNKNOWN
  }

  static Outcome notStarted(ToolResult result) {
    return new Outcome(result, 0, Health.UNKNOWN, 0);
  }
}
