package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/// What tests of running calls share: a clock made by hand, a conversation, and what it has shown.
class ManualCalls {
  static final Duration PATIENCE = Duration.ofMinutes(5);

  final ManualTime time = new ManualTime();
  final List<Event> events = new CopyOnWriteArrayList<>();
  final ToolSession session = ToolSession.builder("conversation").events(events::add).build();
  final AtomicInteger runs = new AtomicInteger();
  final CountDownLatch never = new CountDownLatch(1);

  ToolExecutor executor(Tool... tools) {
    return ToolExecutor.builder().tools(List.of(tools)).time(time).build();
  }

  CompletableFuture<ToolResult> start(Tool tool) {
    ToolExecutor executor = executor(tool);
    CompletableFuture<ToolResult> result = new CompletableFuture<>();
    Thread.startVirtualThread(() -> result.complete(executor.execute(call(tool.name()), session)));
    return result;
  }

  static ToolResult settled(CompletableFuture<ToolResult> result) {
    return result.orTimeout(PATIENCE.toSeconds(), java.util.concurrent.TimeUnit.SECONDS).join();
  }

  static ToolCall call(String name) {
    return new ToolCall("c1", name, Json.EMPTY_OBJECT);
  }

  List<String> hints() {
    return events.stream()
        .filter(Event.LoaderHint.class::isInstance)
        .map(event -> ((Event.LoaderHint) event).hint())
        .toList();
  }

  Object fail(int times, Exception cause) throws Exception {
    if (runs.incrementAndGet() <= times) {
      throw cause;
    }
    return "ok after " + runs.get();
  }

  static void awaitUninterrupted(CountDownLatch latch) {
    try {
      assertThat(latch.await(5, java.util.concurrent.TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
