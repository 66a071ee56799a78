package dev.switchboard.execution;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;

/// What came of a call; its result is final but for the text and the call's id, which settling
/// adds.
sealed interface Outcome {
  /// It never ran.
  record NotStarted(ToolResult result) implements Outcome {}

  /// It repeats the id of an earlier call; that one's result may still be on its way.
  record Same(ToolCall call, CallLog.Entry earlier) implements Outcome {}

  /// A person was asked, and the answer comes later.
  record Waiting(ConsentRequest request) implements Outcome {}

  /// It ran.
  ///
  /// @param attempts made: those whose handler began
  /// @param nanos from the start of the first attempt to the end
  record Ran(ToolResult result, Health health, int attempts, long nanos) implements Outcome {}

  /// How a tool did, in the eyes of its circuit breaker.
  enum Health {
    /// It answered, if only with no.
    ANSWERED,
    /// It failed.
    FAILED,
    /// The call says nothing of the tool: cancelled, or refused on our side.
    UNKNOWN
  }

  /// The result; waits for the earlier call where this one repeats it.
  default ToolResult result() {
    return switch (this) {
      case NotStarted(var result) -> result;
      case Same(var call, var earlier) -> earlier.answer(call);
      case Waiting(var request) ->
          throw new IllegalStateException("a call that waits has no result");
      case Ran(var result, var health, var attempts, var nanos) -> result;
    };
  }
}
