package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolException;
import dev.switchboard.json.Json;
import dev.switchboard.tool.BreakerOptions;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.Reassurance;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Handlers that answer, fail and wait in unusual ways.
class OddHandlersTest extends ManualCalls {
  @Test
  void doesNotRepeatADeedWhoseAnswerCannotBeWritten() {
    Tool broken =
        Tool.dynamic("t")
            .handler(arguments -> {
              runs.incrementAndGet();
              return Json.text("{nope");
            });
    ToolResult result = executor(broken).execute(call("t"));
    assertThat(result.code()).isEqualTo(ResultCode.FAILED);
    assertThat(runs).hasValue(1);
  }

  @Test
  void failsAResultThatCannotBeShown() {
    List<ToolResult> odd =
        List.of(
            ToolResult.builder(true).data(Json.text("nope")).text("x").build(),
            ToolResult.builder(true).data(Json.text("[1]")).text("x").build(),
            ToolResult.builder(true).more(Map.of("rows", Json.text("nope"))).text("x").build());
    for (ToolResult own : odd) {
      ToolResult result = executor(Tool.dynamic("t").handler(arguments -> own)).execute(call("t"));
      assertThat(result.code()).isEqualTo(ResultCode.FAILED);
      assertThat(new Event.ToolSettled(result, "t").json().tree().path("type").asString())
          .isEqualTo("tool_result");
    }
  }

  @Test
  void seesThroughAFailureOfAFuture() {
    Tool joins =
        Tool.dynamic("t")
            .handler(arguments ->
                CompletableFuture.failedFuture(ToolException.permanent("no such order")).join());
    assertThat(executor(joins).execute(call("t")).error()).isEqualTo("no such order");
  }

  @Test
  void mendsHalfACharacterInAFailuresText() {
    Tool tool =
        Tool.dynamic("t")
            .handler(arguments -> {
              throw ToolException.permanent("no \uD83D here");
            });
    assertThat(executor(tool).execute(call("t")).error()).endsWith("no \uFFFD here");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  "})
  void saysThatNoReasonWasGiven(String blank) {
    Tool tool =
        Tool.dynamic("t")
            .handler(arguments -> {
              throw ToolException.permanent(blank);
            });
    assertThat(executor(tool).execute(call("t")).error()).isEqualTo("no reason given");
  }

  @Test
  @SuppressWarnings("NullAway") // what a handler may do
  void dropsProgressWithoutText() {
    Tool tool =
        Tool.dynamic("t")
            .handler((arguments, context) -> {
              context.progress(null);
              context.progress(" ");
              return "done";
            });
    assertThat(executor(tool).execute(call("t"), session).text()).isEqualTo("done");
    assertThat(hints()).isEmpty();
  }

  @Test
  void namesTheKindOfAnAnonymousException() {
    Tool tool =
        Tool.dynamic("delete_it")
            .handler(arguments -> {
              throw new IllegalStateException("secret") {};
            });
    assertThat(executor(tool).execute(call("delete_it")).error())
        .endsWith("internal error (IllegalStateException)");
  }

  @Test
  @SuppressWarnings({"OverrideThrowableToString", "ToStringReturnsNull"}) // what a hostile one does
  void exposesAnExceptionThatSaysNothing() {
    Tool tool =
        Tool.dynamic("delete_it")
            .handler(arguments -> {
              throw new IllegalStateException() {
                @Override
                public String toString() {
                  return null;
                }
              };
            });
    ToolExecutor executor = ToolExecutor.builder().tools(List.of(tool)).exposeErrors(true).build();
    assertThat(executor.execute(call("delete_it")).error()).endsWith("after 1 attempt: null");
  }

  @Test
  void stopsAwaitingAStageOfItselfWhenTimeIsUp() {
    CompletableFuture<Object> circle = new CompletableFuture<>();
    circle.complete(circle);
    AtomicReference<Thread> worker = new AtomicReference<>();
    Tool tool =
        Tool.dynamic("t")
            .timeout(Duration.ofMillis(50))
            .handler(arguments -> {
              worker.set(Thread.currentThread());
              return circle;
            });
    assertThat(ToolExecutor.of(tool).execute(call("t")).code()).isEqualTo(ResultCode.TIMEOUT);
    Awaitility.await().until(() -> !worker.get().isAlive());
  }

  @Test
  void answersInTimeThoughACancelActionBlocksOrThrows() {
    for (Runnable action : List.<Runnable>of(this::block, OddHandlersTest::throwError)) {
      Tool tool =
          Tool.dynamic("t")
              .timeout(Duration.ofMillis(50))
              .handler((arguments, context) -> {
                context.onCancel(action);
                never.await();
                return "never";
              });
      assertThat(ToolExecutor.of(tool).execute(call("t")).code()).isEqualTo(ResultCode.TIMEOUT);
    }
    never.countDown();
  }

  private void block() {
    awaitUninterrupted(never);
  }

  private static void throwError() {
    throw new AssertionError("broken");
  }

  @Test
  void givesAnInterruptBackThatAnInlineHandlerTook() {
    Tool tool =
        Tool.dynamic("delete_it")
            .inline()
            .handler(arguments -> {
              never.await();
              return "never";
            });
    Thread.currentThread().interrupt();
    ToolResult result = executor(tool).execute(call("delete_it"));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(result.error()).endsWith("internal error (InterruptedException)");
  }

  @Test
  void endsAPauseAtOnceThoughItHasReassured() {
    CountDownLatch reassured = new CountDownLatch(1);
    Tool tool =
        Tool.dynamic("get_it")
            .reassurance(new Reassurance("One moment...", Duration.ofMillis(20)))
            .retry(RetryPolicy.DEFAULT.withPauses(Duration.ofMinutes(1), Duration.ofMinutes(1)))
            .handler(arguments -> fail(1, new IllegalStateException()));
    ToolSession own =
        ToolSession.builder("c")
            .events(event -> {
              if (event instanceof Event.LoaderHint) {
                reassured.countDown();
              }
            })
            .build();
    AtomicReference<Thread> caller = new AtomicReference<>();
    CompletableFuture<ToolResult> result = new CompletableFuture<>();
    caller.set(
        Thread.ofPlatform()
            .daemon()
            .start(() -> result.complete(ToolExecutor.of(tool).execute(call("get_it"), own))));
    awaitUninterrupted(reassured);
    Awaitility.await()
        .pollInterval(Duration.ofMillis(5))
        .until(() -> caller.get().getState() == Thread.State.TIMED_WAITING);
    own.cancel();
    assertThat(settled(result).code()).isEqualTo(ResultCode.CANCELLED);
  }

  @ParameterizedTest
  @ValueSource(longs = {1_000_000_000L, 10_000_000_000L, Long.MAX_VALUE})
  void takesAnyLengthOfTime(long seconds) {
    Duration length = Duration.ofSeconds(seconds);
    Tool patient =
        Tool.dynamic("patient")
            .timeout(length)
            .reassurance(new Reassurance("One moment...", length))
            .retry(new RetryPolicy(RetryPolicy.MOST_RETRIES, length, length, RetryPolicy.On.ANY))
            .handler(arguments -> "done");
    assertThat(executor(patient).execute(call("patient")).text()).isEqualTo("done");
    Tool fragile =
        Tool.dynamic("delete_it")
            .deadline(length)
            .breaker(new BreakerOptions(1, length))
            .handler(arguments -> fail(1, new IllegalStateException()));
    ToolExecutor executor = executor(fragile);
    executor.execute(call("delete_it"));
    assertThat(executor.execute(call("delete_it")).code()).isEqualTo(ResultCode.CIRCUIT_OPEN);
  }
}
