package dev.switchboard.testing;

import dev.switchboard.execution.ExecutionListener;
import dev.switchboard.tool.ToolCall;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A listener that records its events, for tests. Thread-safe.
public final class RecordingListener implements ExecutionListener {
  private final List<ExecutionListener.CallRecord> calls = new CopyOnWriteArrayList<>();
  private final List<Retry> retries = new CopyOnWriteArrayList<>();

  /// A failed attempt that was retried.
  public record Retry(ToolCall call, int attempt, String cause, Duration pause) {}

  /// A listener without events.
  public RecordingListener() {}

  @Override
  public void retrying(ToolCall call, int attempt, String cause, Duration pause) {
    retries.add(new Retry(call, attempt, cause, pause));
  }

  @Override
  public void settled(ExecutionListener.CallRecord call) {
    calls.add(call);
  }

  /// The settled calls, in order.
  public List<ExecutionListener.CallRecord> calls() {
    return List.copyOf(calls);
  }

  /// The retries, in order.
  public List<Retry> retries() {
    return List.copyOf(retries);
  }
}
