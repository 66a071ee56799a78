package dev.switchboard.spec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolOptions;
import dev.switchboard.spec.Trouble.Stuck;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.RecordingListener;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubWebhook;
import dev.switchboard.time.Time;
import dev.switchboard.tool.BreakerOptions;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import dev.switchboard.webhook.GuardedHttp;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// One result for every call of a webhook, in time, wherever its request gets stuck and whoever
/// ends it, on callers of both kinds.
@Tag("slow")
class WatchedWebhooksTest {
  private static final Duration SHORT = Duration.ofMillis(60);
  private static final Duration LONG = Duration.ofMinutes(1);
  // An attempt whose thread has not begun when its time is up does not count.
  private static final String TIMED_OUT = "after (1 attempt|2 attempts): .* timed out";

  /// A caller's thread and what it got.
  private static final class Caller {
    final ToolSession session = ToolSession.of("conversation");
    final CompletableFuture<ToolResult> result = new CompletableFuture<>();
    final AtomicBoolean flag = new AtomicBoolean();
    final Thread thread;

    Caller(boolean virtual, Tool tool) {
      this(virtual, tool, Time.SYSTEM);
    }

    Caller(boolean virtual, Tool tool, Time time) {
      ToolExecutor executor = ToolExecutor.builder().tools(tool).time(time).build();
      Thread.Builder builder = virtual ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
      thread =
          builder.start(() -> {
            ToolResult settled = executor.execute(ToolCall.of(tool.name(), "{}"), session);
            flag.set(Thread.currentThread().isInterrupted());
            result.complete(settled);
          });
    }

    ToolResult settled() {
      return result.orTimeout(5, TimeUnit.MINUTES).join();
    }

    /// Waits until the thread is at its request: it waits for a look-up, or in a system call.
    void awaitStuck() {
      AtomicInteger seen = new AtomicInteger();
      Awaitility.await()
          .pollInterval(Duration.ofMillis(2))
          .until(() -> within("okhttp3") && seen.incrementAndGet() > 5);
    }

    private boolean within(String prefix) {
      for (StackTraceElement frame : thread.getStackTrace()) {
        if (frame.getClassName().startsWith(prefix)) {
          return true;
        }
      }
      return false;
    }
  }

  static Tool.DynamicBuilder tool(Stuck stuck, Duration timeout) {
    return Tool.dynamic("look_it_up")
        .network(stuck.network())
        .timeout(timeout)
        .retry(RetryPolicy.DEFAULT.withMaxRetries(1).withPauses(Duration.ZERO, Duration.ZERO));
  }

  private static void bothKinds(Kind kind) throws IOException {
    kind.of(true);
    kind.of(false);
  }

  private interface Kind {
    void of(boolean virtual) throws IOException;
  }

  @ParameterizedTest
  @EnumSource
  void endsInTime(Trouble trouble) throws IOException {
    bothKinds(virtual -> {
      try (Stuck stuck = trouble.make()) {
        Caller caller = new Caller(virtual, tool(stuck, SHORT).webhook(stuck.url()));
        assertThat(caller.settled().code()).isEqualTo(ResultCode.TIMEOUT);
        assertThat(caller.settled().error()).containsPattern(TIMED_OUT);
        assertThat(caller.flag).isFalse();
      }
    });
  }

  @ParameterizedTest
  @EnumSource
  void endsInTimeWhateverItIsAtWhenTimeRunsOut(Trouble trouble) throws IOException {
    try (Stuck stuck = trouble.make()) {
      for (int i = 1; i <= 100; i++) {
        Duration limit = Duration.ofNanos(i * 20_000L);
        Caller caller =
            new Caller(i % 2 == 0, tool(stuck, LONG).deadline(limit).webhook(stuck.url()));
        assertThat(caller.settled().code()).isEqualTo(ResultCode.TIMEOUT);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void endsWhenAnotherThreadCancelsTheConversation(Trouble trouble) throws IOException {
    bothKinds(virtual -> {
      try (Stuck stuck = trouble.make()) {
        Tool tool =
            tool(stuck, LONG).onInterrupt(ToolOptions.InterruptPolicy.CANCEL).webhook(stuck.url());
        Caller caller = new Caller(virtual, tool);
        caller.awaitStuck();
        caller.session.cancel();
        assertThat(caller.settled().code()).isEqualTo(ResultCode.CANCELLED);
        assertThat(caller.flag).isFalse();
      }
    });
  }

  @ParameterizedTest
  @EnumSource
  void endsWhenItsThreadIsInterruptedWhereThatCancels(Trouble trouble) throws IOException {
    bothKinds(virtual -> {
      try (Stuck stuck = trouble.make()) {
        Tool tool =
            tool(stuck, LONG).onInterrupt(ToolOptions.InterruptPolicy.CANCEL).webhook(stuck.url());
        Caller caller = new Caller(virtual, tool);
        caller.awaitStuck();
        caller.thread.interrupt();
        assertThat(caller.settled().code()).isEqualTo(ResultCode.CANCELLED);
        assertThat(caller.flag).isTrue();
      }
    });
  }

  @ParameterizedTest
  @EnumSource
  void runsToTimeoutDespiteInterrupt(Trouble trouble) throws IOException {
    bothKinds(virtual -> {
      try (Stuck stuck = trouble.make()) {
        ManualTime time = new ManualTime();
        Tool tool = tool(stuck, LONG).deadline(LONG.multipliedBy(1_000)).webhook(stuck.url());
        Caller caller = new Caller(virtual, tool, time);
        caller.awaitStuck();
        caller.thread.interrupt();
        // Each step ends an attempt, if one is under way.
        Awaitility.await()
            .pollInterval(Duration.ofMillis(100))
            .until(() -> {
              time.advance(LONG);
              return caller.result.isDone();
            });
        assertThat(caller.settled().code()).isEqualTo(ResultCode.TIMEOUT);
        assertThat(caller.settled().error()).containsPattern(TIMED_OUT);
        assertThat(caller.flag).isTrue();
      }
    });
  }

  @Test
  void resendsInterruptedRequestWithSameKey() {
    try (StubWebhook webhook = StubWebhook.start()) {
      webhook.answer(StubAnswer.hang()).answer(200, "{\"booked\":true}");
      GuardedHttp network = GuardedHttp.allowing(webhook.hostAndPort());
      Tool tool = Tool.dynamic("book_it").network(network).webhook(URI.create(webhook.url()));
      Caller caller = new Caller(true, tool);
      webhook.takeRequest(LONG);
      caller.thread.interrupt();
      assertThat(caller.settled().text()).isEqualTo("{\"booked\":true}");
      assertThat(caller.flag).isTrue();
      assertThat(webhook.requests())
          .extracting(request -> request.header("Idempotency-Key"))
          .hasSize(2)
          .containsOnly(webhook.requests().getFirst().header("Idempotency-Key"));
      assertThat(webhook.requests())
          .extracting(request -> request.json().tree().get("attempt").intValue())
          .containsOnly(1);
    }
  }

  @Test
  void survivesInterruptsAtAnyMoment() throws InterruptedException {
    try (StubWebhook webhook = StubWebhook.start().answer(200, "{\"ok\":true}");
        GuardedHttp network = GuardedHttp.allowing(webhook.hostAndPort())) {
      for (ToolMode mode : List.of(ToolMode.READ, ToolMode.EXTERNAL, ToolMode.DESTRUCTIVE)) {
        Tool tool =
            Tool.dynamic("look_it_up")
                .mode(mode)
                .network(network)
                .webhook(URI.create(webhook.url()));
        for (int i = 0; i < 100; i++) {
          Caller caller = new Caller(i % 2 == 0, tool);
          for (int turn = 0; turn < 20 * i; turn++) {
            Thread.onSpinWait();
          }
          caller.thread.interrupt();
          ToolResult result = caller.settled();
          if (mode == ToolMode.READ) {
            assertThat(result.success() || result.code() == ResultCode.CANCELLED)
                .as(String.valueOf(result.text()))
                .isTrue();
          } else {
            assertThat(result.text()).isEqualTo("{\"ok\":true}");
          }
        }
      }
    }
  }

  @Test
  void timeoutDuringAnswerDisturbsNoOtherCall() throws InterruptedException {
    RecordingListener heard = new RecordingListener();
    try (StubWebhook webhook =
            StubWebhook.start().answer(StubAnswer.of(200, "{}").delay(Duration.ofMillis(1)));
        GuardedHttp network = GuardedHttp.allowing(webhook.hostAndPort())) {
      List<Tool> tools = new ArrayList<>();
      // Around the moment of the answer: one never waits so long, the others may.
      for (int micros : new int[] {900, 1_100, 1_300, 1_600}) {
        tools.add(
            Tool.dynamic("hasty" + tools.size())
                .network(network)
                // Not the timeout, after which there would be another attempt.
                .deadline(Duration.ofNanos(micros * 1_000L))
                .breaker(BreakerOptions.OFF)
                .webhook(URI.create(webhook.url())));
      }
      tools.add(Tool.dynamic("steady").network(network).webhook(URI.create(webhook.url())));
      ToolExecutor executor = ToolExecutor.builder().tools(tools).listener(heard).build();
      List<Thread> threads = new ArrayList<>();
      AtomicInteger stray = new AtomicInteger();
      for (int i = 0; i < 8; i++) {
        String name = i % 2 == 0 ? "hasty" + i / 2 : "steady";
        Thread.Builder builder = i < 4 ? Thread.ofVirtual() : Thread.ofPlatform();
        threads.add(
            builder.start(() -> {
              for (int call = 0; call < 100; call++) {
                executor.execute(ToolCall.of(name, "{}"));
                stray.addAndGet(Thread.interrupted() ? 1 : 0);
              }
            }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(stray).hasValue(0);
      assertThat(heard.retries()).isEmpty();
      assertThat(heard.calls())
          .filteredOn(call -> call.call().name().equals("steady"))
          .hasSize(400)
          .allMatch(call -> call.result().success());
      assertThat(heard.calls())
          .filteredOn(call -> call.call().name().equals("hasty0"))
          .extracting(call -> call.result().code())
          .contains(ResultCode.TIMEOUT);
    }
  }
}
