package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.execution.ToolExecutor.BreakerState;
import dev.switchboard.execution.ToolExecutor.BreakerState.Position;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.tool.BreakerOptions;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Vectors of area breaker, by their ids, through the door.
class CircuitBreakerTest {
  private final ManualTime time = new ManualTime();
  private final AtomicBoolean healthy = new AtomicBoolean();
  private final AtomicInteger runs = new AtomicInteger();

  private ToolExecutor executor(BreakerOptions options) {
    Tool book =
        Tool.dynamic("book")
            .breaker(options)
            .retry(RetryPolicy.NONE)
            .handler(arguments -> {
              runs.incrementAndGet();
              if (!healthy.get()) {
                throw new IOException("down");
              }
              return "booked";
            });
    return ToolExecutor.builder().tools(List.of(book)).time(time).build();
  }

  private static ToolExecutor failing(ToolExecutor executor, int calls) {
    for (int i = 0; i < calls; i++) {
      book(executor);
    }
    return executor;
  }

  private static ToolResult book(ToolExecutor executor) {
    return executor.execute(ToolCall.of("book", Json.EMPTY_OBJECT));
  }

  @Test
  void c065RunsTheFifthCallAfterFourFailures() {
    ToolExecutor executor = failing(executor(BreakerOptions.DEFAULT), 4);
    book(executor);
    assertThat(runs).hasValue(5);
  }

  @Test
  void c066AnswersTheSixthCallItself() {
    ToolExecutor executor = failing(executor(BreakerOptions.DEFAULT), 5);
    ToolResult result = book(executor);
    assertThat(runs).hasValue(5);
    assertThat(result.error()).isNotEmpty();
    assertThat(result.code()).isEqualTo(ResultCode.CIRCUIT_OPEN);
    assertThat(result.fallback()).isTrue();
    assertThat(result.circuitState()).isEqualTo("open");
    assertThat(result.retryAfterMs()).isEqualTo(30_000);
    assertThat(result.json().text())
        .contains("\"circuit_state\":\"open\"", "\"retry_after_ms\":30000");
  }

  @Test
  void c067CountsACallOnceHoweverManyAttempts() {
    Tool tool =
        Tool.dynamic("book")
            .breaker(new BreakerOptions(2, Duration.ofSeconds(10)))
            .handler(arguments -> {
              throw new IOException("down");
            });
    ToolExecutor executor = ToolExecutor.builder().tools(List.of(tool)).time(time).build();
    book(executor);
    assertThat(executor.breaker("book"))
        .isEqualTo(new BreakerState(Position.CLOSED, 1, Duration.ZERO));
  }

  @Test
  void c069LetsOneCallProbeAfterTheCooldown() {
    ToolExecutor executor = failing(executor(new BreakerOptions(2, Duration.ofMillis(10_000))), 2);
    time.advance(Duration.ofMillis(9_999));
    book(executor);
    assertThat(runs).hasValue(2);
    time.advance(Duration.ofMillis(2));
    assertThat(executor.breaker("book").position()).isEqualTo(Position.HALF_OPEN);
    book(executor);
    assertThat(runs).hasValue(3);
  }

  @Test
  void closesWhenTheProbeSucceedsAndOpensAgainWhenItFails() {
    ToolExecutor executor = failing(executor(BreakerOptions.DEFAULT), 5);
    time.advance(Duration.ofSeconds(30));
    book(executor);
    assertThat(executor.breaker("book").retryAfter()).isEqualTo(Duration.ofSeconds(30));
    time.advance(Duration.ofSeconds(30));
    healthy.set(true);
    assertThat(book(executor).success()).isTrue();
    assertThat(executor.breaker("book").position()).isEqualTo(Position.CLOSED);
    healthy.set(false);
    failing(executor, 4);
    assertThat(executor.breaker("book").position()).isEqualTo(Position.CLOSED);
  }

  @Test
  void c073FreesThePlaceOfACancelledProbe() throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    AtomicBoolean hang = new AtomicBoolean();
    Tool tool =
        Tool.dynamic("get_book")
            .breaker(new BreakerOptions(1, Duration.ofSeconds(1)))
            .retry(RetryPolicy.NONE)
            .handler(arguments -> {
              runs.incrementAndGet();
              if (hang.get()) {
                never.await();
              }
              throw new IOException("down");
            });
    ToolExecutor executor = ToolExecutor.builder().tools(List.of(tool)).time(time).build();
    executor.execute(ToolCall.of("get_book", Json.EMPTY_OBJECT));
    time.advance(Duration.ofSeconds(1));
    hang.set(true);
    ToolSession session = ToolSession.of("hung-up");
    Thread caller =
        Thread.startVirtualThread(
            () -> executor.execute(new ToolCall("c", "get_book", Json.EMPTY_OBJECT), session));
    time.awaitSleepers(1);
    await().untilAsserted(() -> assertThat(runs).hasValue(2));
    ToolResult meanwhile = executor.execute(ToolCall.of("get_book", Json.EMPTY_OBJECT));
    assertThat(meanwhile.code()).isEqualTo(ResultCode.CIRCUIT_OPEN);
    session.cancel();
    caller.join();
    hang.set(false);
    assertThat(executor.execute(ToolCall.of("get_book", Json.EMPTY_OBJECT)).code())
        .isEqualTo(ResultCode.FAILED);
    assertThat(runs).hasValue(3);
  }

  @Test
  void c074NeverOpensAtThresholdZero() {
    failing(executor(BreakerOptions.OFF), 100);
    assertThat(runs).hasValue(100);
  }

  @Test
  void c076SaysHowLongUntilItIsHalfOpen() {
    ToolExecutor executor = failing(executor(new BreakerOptions(2, Duration.ofMillis(5_000))), 2);
    assertThat(book(executor).retryAfterMs()).isEqualTo(5_000);
    time.advance(Duration.ofMillis(2_000));
    assertThat(book(executor).retryAfterMs()).isEqualTo(3_000);
  }

  @Test
  void c078LosesNoUpdateWhenAHundredFailAtOnce() {
    ToolExecutor executor = executor(new BreakerOptions(100, Duration.ofSeconds(1)));
    List<CompletableFuture<ToolResult>> results = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      CompletableFuture<ToolResult> result = new CompletableFuture<>();
      results.add(result);
      Thread.startVirtualThread(() -> result.complete(book(executor)));
    }
    results.forEach(CompletableFuture::join);
    assertThat(executor.breaker("book").consecutiveFailures()).isEqualTo(100);
    assertThat(executor.breaker("book").position()).isEqualTo(Position.OPEN);
  }

  @Test
  void countsAnAnswerThatSaysNoAsAnAnswer() {
    Tool tool = Tool.dynamic("book").handler(arguments -> ToolResult.error("full"));
    ToolExecutor executor = ToolExecutor.builder().tools(List.of(tool)).time(time).build();
    failing(executor, 10);
    assertThat(executor.breaker("book").consecutiveFailures()).isZero();
  }
}
