package dev.switchboard.execution;

import dev.switchboard.check.Checked;
import dev.switchboard.handler.Arguments;
import dev.switchboard.handler.Tool;
import dev.switchboard.tool.ToolCall;

/// A call that was found good: what it takes to run it.
record Ticket(Arrival arrival, Tool tool, Checked.Accepted accepted) {
  ToolCall call() {
    return arrival.call();
  }

  ToolSession session() {
    return arrival.session();
  }

  /// The call as it will run: with the arguments that were found good.
  ToolCall asked() {
    ToolCall call = call();
    return accepted.arguments().equals(call.arguments())
        ? call
        : new ToolCall(call.id(), call.name(), accepted.arguments());
  }

  Arguments arguments() {
    return new Arguments(accepted.arguments(), accepted.bound());
  }
}
