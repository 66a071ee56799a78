package dev.switchboard.consent;

import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolDefinition;

/// Whoever can be asked whether a call may run.
@FunctionalInterface
public interface Approver {
  /// Nobody is there.
  Approver NOBODY = (call, tool) -> new Answer.Nobody();

  /// The answer, waited for on the caller's thread.
  Answer ask(ToolCall call, ToolDefinition tool);

  /// What came of asking.
  sealed interface Answer {
    /// The call may run.
    record Approved() implements Answer {}

    /// It may not.
    ///
    /// @param reason told to the model; may be empty
    record Denied(String reason) implements Answer {}

    /// There was nobody to ask.
    record Nobody() implements Answer {}
  }
}
