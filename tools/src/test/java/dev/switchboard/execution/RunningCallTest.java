package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolException;
import dev.switchboard.handler.ToolOptions;
import dev.switchboard.json.Json;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubWebhook;
import dev.switchboard.tool.Reassurance;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import dev.switchboard.webhook.GuardedHttp;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Attempts, pauses, time limits and cancellation, by a clock made by hand.
class RunningCallTest extends ManualCalls {
  @Test
  void triesThreeTimes() {
    Tool tool = Tool.dynamic("t").handler(arguments -> fail(2, new IOException()));
    assertThat(executor(tool).execute(call("t")).text()).isEqualTo("ok after 3");
    assertThat(time.pauses()).hasSize(2);
    assertThat(time.pauses().get(0)).isBetween(Duration.ofMillis(500), Duration.ofMillis(560));
    assertThat(time.pauses().get(1)).isBetween(Duration.ofMillis(1000), Duration.ofMillis(1060));
  }

  @Test
  void saysWhatWentWrongAfterTheLastAttempt() {
    Tool tool = Tool.dynamic("t").handler(arguments -> fail(9, new ToolException("no stock")));
    ToolResult result = executor(tool).execute(call("t"));
    assertThat(result.error()).isEqualTo("Tool failed after 3 attempts: no stock");
    assertThat(result.fallback()).isTrue();
    assertThat(result.needsFollowup()).isTrue();
  }

  @Test
  void triesDestructiveToolsOnce() {
    Tool tool = Tool.dynamic("delete_it").handler(arguments -> fail(9, new IOException()));
    assertThat(executor(tool).execute(call("delete_it")).error()).contains("after 1 attempt:");
  }

  @Test
  void doesNotRepeatWhatIsPermanent() {
    Tool tool = Tool.dynamic("t").handler(arguments -> fail(9, ToolException.permanent("gone")));
    ToolExecutor executor = executor(tool);
    assertThat(executor.execute(call("t")).error()).isEqualTo("gone");
    assertThat(runs).hasValue(1);
    assertThat(executor.breaker("t").consecutiveFailures()).isZero();
  }

  @Test
  void repeatsOnlyPassingTroubleWhenToldSo() {
    Tool tool =
        Tool.dynamic("t")
            .retry(RetryPolicy.DEFAULT.withOn(RetryPolicy.On.TRANSIENT))
            .handler(arguments -> fail(1, new IllegalStateException()));
    assertThat(executor(tool).execute(call("t")).success()).isFalse();
    assertThat(executor(tool).execute(call("t")).success()).isTrue();
    runs.set(0);
    Tool passing =
        Tool.dynamic("t")
            .retry(RetryPolicy.DEFAULT.withOn(RetryPolicy.On.TRANSIENT))
            .handler(arguments -> fail(1, ToolException.passing("busy", null)));
    assertThat(executor(passing).execute(call("t")).success()).isTrue();
  }

  @Test
  void keepsToRetryAfterAndGivesUpPastTheDeadline() {
    Tool tool =
        Tool.dynamic("t")
            .handler(arguments -> fail(1, ToolException.passing("busy", Duration.ofSeconds(7))));
    assertThat(executor(tool).execute(call("t")).success()).isTrue();
    assertThat(time.pauses()).containsExactly(Duration.ofSeconds(7));
    runs.set(0);
    Tool late =
        Tool.dynamic("t")
            .handler(arguments -> fail(1, ToolException.passing("busy", Duration.ofMinutes(7))));
    assertThat(executor(late).execute(call("t")).error()).endsWith("after 1 attempt: busy");
  }

  @ParameterizedTest
  @CsvSource({
    "503, 2147483648",
    "429, 2147483648",
    "500, 9999999999",
    "503, 99999999999999999999999999",
    "429, 000000000000000000000000000000999999",
    "503, 'Fri, 31 Dec 9999 23:59:59 GMT'",
  })
  void givesUpWhereAServerAsksForALongWait(int status, String retryAfter) {
    StubAnswer answer = StubAnswer.status(status).header("Retry-After", retryAfter);
    try (StubWebhook server = StubWebhook.start().answer(answer).answer(200, "{}")) {
      Tool tool =
          Tool.dynamic("get_x")
              .network(GuardedHttp.allowing(server.hostAndPort()))
              .webhook(URI.create(server.url()));
      assertThat(executor(tool).execute(call("get_x")).error())
          .isEqualTo("Tool failed after 1 attempt: HTTP " + status);
      assertThat(server.requests()).hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource({"503, 7", "429, 00000000000000000007", "500, 7", "503, 0"})
  void keepsToWhatAServerAsksFor(int status, String retryAfter) {
    StubAnswer answer = StubAnswer.status(status).header("Retry-After", retryAfter);
    try (StubWebhook server = StubWebhook.start().answer(answer).answer(200, "{}")) {
      Tool tool =
          Tool.dynamic("get_x")
              .network(GuardedHttp.allowing(server.hostAndPort()))
              .webhook(URI.create(server.url()));
      assertThat(executor(tool).execute(call("get_x")).text()).isEqualTo("{}");
      assertThat(time.pauses()).hasSize(1);
      assertThat(time.pauses().getFirst())
          .isGreaterThanOrEqualTo(Duration.ofSeconds(Long.parseLong(retryAfter)));
    }
  }

  @Test
  void timesOutAHandlerThatNeverReturns() {
    CompletableFuture<ToolResult> result =
        start(
            Tool.dynamic("slow")
                .handler(arguments -> {
                  never.await();
                  return "never";
                }));
    time.awaitSleepers(1);
    time.advance(Duration.ofMillis(9_999));
    assertThat(result).isNotDone();
    time.advance(Duration.ofMillis(1));
    assertThat(settled(result).error())
        .isEqualTo("Tool failed after 1 attempt: 'slow' timed out after 10 s");
    assertThat(settled(result).code()).isEqualTo(ResultCode.TIMEOUT);
    assertThat(settled(result).fallback()).isTrue();
  }

  @Test
  void leavesAHandlerBehindThatIgnoresInterrupts() {
    AtomicBoolean stop = new AtomicBoolean();
    CompletableFuture<ToolResult> result =
        start(
            Tool.dynamic("deaf")
                .handler(arguments -> {
                  while (!stop.get()) {
                    Thread.onSpinWait();
                    Thread.yield();
                  }
                  return "late";
                }));
    time.awaitSleepers(1);
    time.advance(Duration.ofSeconds(10));
    assertThat(settled(result).code()).isEqualTo(ResultCode.TIMEOUT);
    stop.set(true);
    assertThat(events).hasSize(2);
  }

  @Test
  void boundsAllAttemptsByOneDeadline() {
    CompletableFuture<ToolResult> result =
        start(
            Tool.dynamic("slow")
                .timeout(Duration.ofSeconds(10))
                .deadline(Duration.ofSeconds(3))
                .handler(arguments -> {
                  never.await();
                  return "never";
                }));
    time.awaitSleepers(1);
    time.advance(Duration.ofSeconds(3));
    assertThat(settled(result).error()).contains("timed out after 3 s");
  }

  @Test
  void runsCancelActionsWhenTimeIsUp() {
    CountDownLatch ran = new CountDownLatch(1);
    CountDownLatch registered = new CountDownLatch(1);
    CompletableFuture<ToolResult> result =
        start(
            Tool.dynamic("slow")
                .handler((arguments, context) -> {
                  context.onCancel(ran::countDown);
                  registered.countDown();
                  never.await();
                  return "never";
                }));
    time.awaitSleepers(1);
    awaitUninterrupted(registered);
    time.advance(Duration.ofSeconds(10));
    settled(result);
    awaitUninterrupted(ran);
  }

  @Test
  void cancelsReadersAndLetsWritersFinish() {
    CountDownLatch release = new CountDownLatch(1);
    CompletableFuture<ToolResult> reader =
        start(
            Tool.dynamic("get_it")
                .handler(arguments -> {
                  never.await();
                  return "never";
                }));
    CountDownLatch writing = new CountDownLatch(1);
    ToolExecutor writers =
        executor(
            Tool.dynamic("create_it")
                .handler(arguments -> {
                  writing.countDown();
                  release.await();
                  return "created";
                }));
    CompletableFuture<ToolResult> writer = new CompletableFuture<>();
    Thread.startVirtualThread(() ->
        writer.complete(
            writers.execute(new ToolCall("c2", "create_it", Json.EMPTY_OBJECT), session)));
    time.awaitSleepers(2);
    awaitUninterrupted(writing);
    session.cancel();
    assertThat(settled(reader).code()).isEqualTo(ResultCode.CANCELLED);
    release.countDown();
    assertThat(settled(writer).text()).isEqualTo("created");
    assertThat(writers.execute(new ToolCall("c3", "create_it", Json.EMPTY_OBJECT), session).code())
        .isEqualTo(ResultCode.CANCELLED);
  }

  @Test
  void takesAnInterruptOfTheCallerAsCancellationAndGivesItBack() throws InterruptedException {
    ToolExecutor executor =
        executor(
            Tool.dynamic("t")
                .onInterrupt(ToolOptions.InterruptPolicy.CANCEL)
                .handler(arguments -> {
                  never.await();
                  return "never";
                }));
    AtomicBoolean flag = new AtomicBoolean();
    CompletableFuture<ToolResult> result = new CompletableFuture<>();
    Thread caller =
        Thread.startVirtualThread(() -> {
          ToolResult settled = executor.execute(call("t"), session);
          flag.set(Thread.currentThread().isInterrupted());
          result.complete(settled);
        });
    time.awaitSleepers(1);
    caller.interrupt();
    assertThat(settled(result).code()).isEqualTo(ResultCode.CANCELLED);
    assertThat(flag).isTrue();
  }

  @Test
  void runsInlineOnTheCallersThread() {
    Thread test = Thread.currentThread();
    Tool tool = Tool.dynamic("t").inline().handler(arguments -> Thread.currentThread() == test);
    assertThat(executor(tool).execute(call("t")).text()).isEqualTo("true");
  }

  @Test
  void givesEveryAttemptTheSameKeyAndEveryCallAnother() {
    List<String> keys = new CopyOnWriteArrayList<>();
    Tool tool =
        Tool.dynamic("t")
            .handler((arguments, context) -> {
              keys.add(context.idempotencyKey());
              return fail(1, new IOException());
            });
    ToolExecutor executor = executor(tool);
    executor.execute(call("t"), session);
    executor.execute(new ToolCall("c2", "t", Json.EMPTY_OBJECT), session);
    assertThat(keys).hasSize(3);
    assertThat(keys.get(0)).isEqualTo(keys.get(1)).isNotEqualTo(keys.get(2)).hasSize(32);
  }

  @Test
  void cutsALongAnswerWithANote() {
    Tool tool =
        Tool.dynamic("t").mode(ToolMode.READ).resultLimit(100).handler(a -> "x".repeat(500));
    ToolResult result = executor(tool).execute(call("t"));
    assertThat(result.truncated()).isTrue();
    assertThat(result.text()).hasSize(100).endsWith("[cut here, of 500 characters]");
  }

  @Test
  void endsAPauseWhenTheConversationIsCancelled() {
    ToolExecutor executor =
        ToolExecutor.of(
            Tool.dynamic("get_it")
                .reassurance(new Reassurance("One moment", Duration.ofMillis(1)))
                .retry(
                    RetryPolicy.DEFAULT.withPauses(Duration.ofSeconds(20), Duration.ofSeconds(20)))
                .deadline(Duration.ofMinutes(5))
                .handler(arguments -> fail(9, new IOException())));
    CompletableFuture<ToolResult> result = new CompletableFuture<>();
    Thread.startVirtualThread(() -> result.complete(executor.execute(call("get_it"), session)));
    // Said in the pause, after which the caller's thread waits on.
    Awaitility.await().until(() -> hints().contains("One moment"));
    session.cancel();
    assertThat(settled(result).code()).isEqualTo(ResultCode.CANCELLED);
    assertThat(runs).hasValue(1);
  }
}
