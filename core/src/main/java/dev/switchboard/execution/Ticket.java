package dev.switchboard.execution;

import dev.switchboard.handler.Arguments;
import dev.switchboard.handler.Tool;
import dev.switchboard.schema.Checked;
import dev.switchboard.tool.ToolCall;

/// A call that was found good: what it takes to run it.
record Ticket(Arrival arrival, Tool tool, Checked.Accepted accepted) {
  ToolCall call() {
    return arrival.call();
  }

  Arguments arguments() {
    return new Arguments(accepted.arguments(), accepted.bound());
  }
}
