package dev.switchboard.cli.chat;

import dev.switchboard.execution.ExecutionListener;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import java.time.Duration;

/// Reports to a view what events do not contain: durations of calls, and retries.
public final class Timings implements ExecutionListener {
  private final View view;

  /// A listener for that view.
  public Timings(View view) {
    this.view = view;
  }

  @Override
  public void retrying(ToolCall call, int attempt, String cause, Duration pause) {
    String hint =
        "attempt %d failed (%s), again in %d ms".formatted(attempt, cause, pause.toMillis());
    view.show(Event.LoaderHint.progress(call.id(), hint));
  }

  @Override
  public void settled(ExecutionListener.CallRecord call) {
    view.took(call.call().id(), call.took());
  }
}
