package dev.switchboard.execution;

import dev.switchboard.text.Thrown;
import dev.switchboard.text.Unseen;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.lang.System.Logger.Level;

/// An internal error: it is logged, and the call still gets its result.
final class Broken {
  private Broken() {}

  /// The logger of the pipeline, by the name that readers know. No field: setting up logs takes
  /// longer than most commands of the terminal.
  static System.Logger calls() {
    return System.getLogger("dev.switchboard.execution.ToolExecutor");
  }

  static ToolResult result(ToolCall call, Throwable thrown) {
    System.Logger log = calls();
    log.log(Level.WARNING, "a call of tool '%s' broke".formatted(Unseen.line(call.name())));
    log.log(Level.DEBUG, "a call broke", thrown);
    return Refusal.broken(call, thrown);
  }

  /// Logs a failure beside a call, which has its result.
  static void warn(String what, Throwable thrown) {
    Thrown.warn(System.getLogger("dev.switchboard.execution.ToolSession"), what, thrown);
  }
}
