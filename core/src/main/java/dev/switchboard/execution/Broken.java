package dev.switchboard.execution;

import dev.switchboard.text.Thrown;
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

  static ToolResult result(Call call, Throwable thrown) {
    return result(call.asked(), call.conversationId(), thrown);
  }

  static ToolResult result(ToolCall call, String conversation, Throwable thrown) {
    System.Logger log = calls();
    String what = "a call of tool '%s' broke".formatted(call.name());
    log.log(Level.WARNING, Thrown.in(conversation, what));
    log.log(Level.DEBUG, "a call broke", thrown);
    return Refusal.broken(call, thrown);
  }

  /// Logs a failure beside a call of that session, which has its result.
  static void warn(String what, ToolSession session, Throwable thrown) {
    warn(Thrown.in(session.conversationId(), what), thrown);
  }

  /// Logs a failure beside a call, which has its result.
  static void warn(String what, Throwable thrown) {
    Thrown.warn(System.getLogger("dev.switchboard.execution.ToolSession"), what, thrown);
  }
}
