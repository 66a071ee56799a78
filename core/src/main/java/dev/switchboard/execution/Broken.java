package dev.switchboard.execution;

import dev.switchboard.text.Unseen;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.lang.System.Logger.Level;

/// A fault on our side of the door: the log has it, and the call gets its result all the same.
final class Broken {
  private static final System.Logger LOG = System.getLogger(Broken.class.getName());

  private Broken() {}

  static ToolResult result(ToolCall call, Throwable thrown) {
    LOG.log(Level.WARNING, "a call of tool '%s' broke".formatted(Unseen.line(call.name())));
    LOG.log(Level.DEBUG, "a call broke", thrown);
    return Refusal.broken(call, thrown);
  }

  /// Says in the log what broke beside a call, which has its result: the kind of what was thrown
  /// for everybody, the rest for whoever looks for it.
  static void warn(String what, Throwable thrown) {
    LOG.log(Level.WARNING, what + ": " + thrown.getClass().getName());
    LOG.log(Level.DEBUG, what, thrown);
  }
}
