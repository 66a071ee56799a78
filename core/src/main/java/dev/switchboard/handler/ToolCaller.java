package dev.switchboard.handler;

import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolResult;

/// The agent's tools, for a tool that calls others: the same checks, rules and conversation, the
/// nearer deadline, at most four deep, and without consent: no one can be asked.
@FunctionalInterface
public interface ToolCaller {
  /// The one result of that call.
  ToolResult call(String tool, Json arguments);
}
