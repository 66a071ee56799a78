package dev.switchboard.rule;

import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolDefinition;

/// The rules that an agent's calls are held to, asked after the arguments were found good and
/// before anything runs.
@FunctionalInterface
public interface ToolRules {
  /// No rules: every call may run.
  ToolRules NONE = (call, tool) -> Verdict.ALLOWED;

  /// Whether the call may run now. Pure: asking changes nothing.
  Verdict judge(ToolCall call, ToolDefinition tool);

  /// What the rules say of a call.
  sealed interface Verdict {
    /// It may run.
    Verdict ALLOWED = new Allowed();

    /// It may run.
    record Allowed() implements Verdict {}

    /// It may not.
    ///
    /// @param violation the class of the broken rule, such as `MAX_CALLS_EXCEEDED`
    /// @param sentence what stands after `Tool rule violation: Tool 'x' cannot be executed: `
    record Denied(String violation, String sentence) implements Verdict {}
  }
}
