package dev.switchboard.docs;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolExecutorBuilder;
import dev.switchboard.handler.Tool;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.RecordingListener;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubWebhook;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import dev.switchboard.webhook.GuardedHttp;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/// An executor with a clock made by hand.
final class Door {
  final ManualTime time = new ManualTime();
  final CountDownLatch never = new CountDownLatch(1);
  final RecordingListener heard = new RecordingListener();
  final ToolExecutorBuilder builder = ToolExecutor.builder().time(time).listener(heard);
  private @Nullable ToolExecutor executor;
  int failuresBefore;
  int retriesBefore;

  Door of(Tool... tools) {
    executor = builder.tools(List.of(tools)).build();
    return this;
  }

  ToolExecutor executor() {
    if (executor == null) {
      throw new IllegalStateException("no tools yet");
    }
    return executor;
  }

  void forget() {
    failuresBefore = executor().breaker(Failure.NAME).consecutiveFailures();
    retriesBefore = heard.retries().size();
  }

  ToolResult call(String name, String arguments) {
    return executor().execute(ToolCall.of(name, arguments));
  }

  ToolResult throwing(Exception exception) {
    return of(Failure.checkTable()
            .handler(arguments -> {
              throw exception;
            }))
        .call(Failure.NAME, "{}");
  }

  ToolResult answering(StubAnswer answer) {
    try (StubWebhook webhook = StubWebhook.start()) {
      webhook.answer(answer);
      return asking(webhook.url(), GuardedHttp.allowing(webhook.hostAndPort()));
    }
  }

  ToolResult asking(String url, GuardedHttp network) {
    return of(Failure.webhook(url, network)).call(Failure.NAME, "{}");
  }

  /// The result of a call that runs out of these times, one after the other.
  ToolResult slowly(Duration... times) throws Exception {
    CompletableFuture<ToolResult> result = new CompletableFuture<>();
    Thread.startVirtualThread(() -> result.complete(call(Failure.NAME, "{}")));
    for (int attempt = 0; attempt < times.length; attempt++) {
      awaitRetries(attempt);
      time.awaitSleepers(1);
      time.advance(times[attempt]);
    }
    return result.get(5, TimeUnit.MINUTES);
  }

  private void awaitRetries(int count) {
    Awaitility.await().until(() -> time.pauses().size() >= count);
  }
}
