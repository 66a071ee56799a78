package dev.switchboard.cli.demo;

import dev.switchboard.cli.chat.View;
import dev.switchboard.execution.ExecutionListener;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import java.time.Duration;
import java.util.Map;

/// Adds retries to the events of a view.
public final class Retries implements ExecutionListener {
  private final View view;

  /// A listener for that view.
  public Retries(View view) {
    this.view = view;
  }

  @Override
  public void retrying(ToolCall call, int attempt, String cause, Duration pause) {
    Map<String, Object> payload =
        Map.of(
            "taskId", call.id(), "attempt", attempt, "cause", cause, "pauseMs", pause.toMillis());
    view.show(new Event.AgentEvent("retry", Json.of(payload)));
  }
}
