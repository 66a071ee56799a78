package dev.switchboard.execution;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.tool.ToolResult;

/// How far a submitted call has come.
public sealed interface CallStep {
  /// It has its one result.
  record Settled(ToolResult result) implements CallStep {}

  /// A person was asked; the result comes from [ToolExecutor#answer] or [ToolExecutor#expire].
  record Pending(ConsentRequest request) implements CallStep {}
}
