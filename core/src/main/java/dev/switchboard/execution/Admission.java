package dev.switchboard.execution;

import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;

/// What the door decides of a call before anything runs.
sealed interface Admission {
  /// It will not run.
  record Refused(ToolResult result) implements Admission {}

  /// It repeats the id of an earlier call, and gets that one's result where it asks for the same.
  record Same(ToolCall call, CallLog.Entry earlier) implements Admission {}

  /// A person has to agree first.
  record NeedsConsent(Ticket ticket) implements Admission {}

  /// It may run.
  record Ready(Ticket ticket) implements Admission {}
}
