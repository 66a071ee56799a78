package dev.switchboard.execution;

import dev.switchboard.text.ExceptionLog;
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

  /// The result of a call that has not run, after an exception outside its handler. If the store
  /// was unavailable, a resumable turn is suspended, and the call runs when it is resumed.
  static ToolResult result(ToolCall call, ToolSession session, Throwable thrown) {
    boolean away = session.store().mayPass(thrown);
    if (away && thrown instanceof RuntimeException fault && session.lease().suspend(fault)) {
      calls().log(Level.DEBUG, "a call of tool '%s' is made later".formatted(call.name()));
      return Refusal.notStored(call);
    }
    ToolResult failed = failed(call, session, thrown);
    return away ? Refusal.notStored(call) : failed;
  }

  /// The result of a call after an exception outside its handler.
  static ToolResult failed(ToolCall call, ToolSession session, Throwable thrown) {
    String what = "a call of tool '%s' broke".formatted(call.name());
    ExceptionLog.warn(calls(), ExceptionLog.in(session.conversationId(), what), thrown);
    return Refusal.broken(call, thrown);
  }

  /// Logs a failure beside a call of that session, which has its result.
  static void warn(String what, ToolSession session, Throwable thrown) {
    warn(ExceptionLog.in(session.conversationId(), what), thrown);
  }

  /// Logs a failure beside a call, which has its result.
  static void warn(String what, Throwable thrown) {
    ExceptionLog.warn(System.getLogger("dev.switchboard.execution.ToolSession"), what, thrown);
  }
}
