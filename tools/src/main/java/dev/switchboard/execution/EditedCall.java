package dev.switchboard.execution;

import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolResult;

/// A call whose arguments a person changed when approving it.
final class EditedCall {
  private EditedCall() {}

  /// The outcome with a note on the change, for the model.
  ///
  /// @param ran whether the handler began
  static ToolResult noted(ToolResult outcome, Json arguments, boolean ran) {
    String changed = "A person has changed the arguments";
    String note = ran ? changed + ": it ran with %s." : changed + " to %s, and it did not run.";
    return Refusal.noted(outcome, note.formatted(arguments));
  }
}
