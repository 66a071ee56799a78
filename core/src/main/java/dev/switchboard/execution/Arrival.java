package dev.switchboard.execution;

import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import org.jspecify.annotations.Nullable;

/// A call that has come in: its session, its place in the log, and the call it came out of, if any.
///
/// @param entry its own place in the log, null where none is kept or the id was used before
/// @param earlier the call that used its id before
/// @param outer the running call whose tool made this one
record Arrival(
    ToolCall call,
    ToolSession session,
    CallLog.@Nullable Entry entry,
    CallLog.@Nullable Entry earlier,
    @Nullable RunningCall outer) {
  /// Why no call may run here now, or null.
  @Nullable ToolResult outOfPlace() {
    if (session.cancelled()) {
      return Refusal.cancelled(call);
    }
    if (outer == null) {
      return session.exited() ? Refusal.skippedAfterExit(call) : null;
    }
    return outer.depth() >= ToolExecutor.MAX_DEPTH ? Refusal.tooDeep(call) : null;
  }

  /// The finished result, recorded and shown.
  ToolResult settle(Outcome outcome) {
    ToolResult result = Answers.finish(outcome.result(), call.id());
    if (entry != null) {
      session.log(entry, result);
    }
    session.settled(result, outer == null && earlier == null);
    return result;
  }
}
