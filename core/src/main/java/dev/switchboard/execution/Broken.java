package dev.switchboard.execution;

import dev.switchboard.text.Unseen;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.lang.System.Logger.Level;

/// An internal error: the log has it, and the call gets its result all the same.
final class Broken {
  // By these names, which stand above this class, its readers know the logs of the pipeline.
  static final System.Logger CALLS = System.getLogger("dev.switchboard.execution.ToolExecutor");
  static final System.Logger BESIDE = System.getLogger("dev.switchboard.execution.ToolSession");

  private Broken() {}

  static ToolResult result(ToolCall call, Throwable thrown) {
    CALLS.log(Level.WARNING, "a call of tool '%s' broke".formatted(Unseen.line(call.name())));
    CALLS.log(Level.DEBUG, "a call broke", thrown);
    return Refusal.broken(call, thrown);
  }

  /// Says in the log what broke beside a call, which has its result: the kind of what was thrown as
  /// a warning, the rest at the level DEBUG.
  static void warn(String what, Throwable thrown) {
    BESIDE.log(Level.WARNING, what + ": " + thrown.getClass().getName());
    BESIDE.log(Level.DEBUG, what, thrown);
  }
}
