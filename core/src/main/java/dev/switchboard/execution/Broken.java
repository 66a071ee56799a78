package dev.switchboard.execution;

import dev.switchboard.text.Unseen;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.lang.System.Logger.Level;

/// An internal error: it is logged, and the call still gets its result.
final class Broken {
  // The names by which readers know the logs of the pipeline.
  static final System.Logger CALLS = System.getLogger("dev.switchboard.execution.ToolExecutor");
  static final System.Logger BESIDE = System.getLogger("dev.switchboard.execution.ToolSession");

  private Broken() {}

  static ToolResult result(ToolCall call, Throwable thrown) {
    CALLS.log(Level.WARNING, "a call of tool '%s' broke".formatted(Unseen.line(call.name())));
    CALLS.log(Level.DEBUG, "a call broke", thrown);
    return Refusal.broken(call, thrown);
  }

  /// Logs a failure beside a call, which has its result: the class as a warning, the rest at DEBUG.
  static void warn(String what, Throwable thrown) {
    BESIDE.log(Level.WARNING, what + ": " + thrown.getClass().getName());
    BESIDE.log(Level.DEBUG, what, thrown);
  }
}
