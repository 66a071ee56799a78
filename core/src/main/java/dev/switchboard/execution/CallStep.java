package dev.switchboard.execution;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.tool.ToolResult;

/// The state of a submitted call.
public sealed interface CallStep {
  /// It has its one result.
  record Settled(ToolResult result) implements CallStep {}

  /// A person was asked; [ToolExecutor#answer] or [ToolExecutor#expire] returns the result.
  record Pending(ConsentRequest request) implements CallStep {}
}
