package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.handler.ToolException;
import dev.switchboard.handler.ToolHandler;
import dev.switchboard.handler.ToolOptions;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// What becomes of calls that somebody wants to end: those that have not begun, and those that
/// finish.
class CancelledCallsTest extends ManualCalls {
  private final AtomicReference<@Nullable ToolSession> cancelling = new AtomicReference<>();

  /// Ends its own conversation at its first attempt, and fails there.
  private Tool failing(Exception cause) {
    return Tool.dynamic("book_it")
        .onInterrupt(ToolOptions.InterruptPolicy.FINISH)
        .handler(arguments -> {
          session.cancel();
          return fail(1, cause);
        });
  }

  static Stream<Exception> knownFailures() {
    return Stream.of(
        new ToolException("HTTP 400"),
        ToolException.passing("HTTP 503", null),
        ToolException.trouble("the connection was refused", new ConnectException()),
        new UnknownHostException("nowhere"),
        new IllegalStateException());
  }

  @ParameterizedTest
  @MethodSource("knownFailures")
  void stopsAttemptsOnceTheOutcomeIsKnown(Exception cause) {
    ToolResult result = executor(failing(cause)).execute(call("book_it"), session);
    assertThat(result.code()).isEqualTo(ResultCode.FAILED);
    assertThat(result.error()).startsWith("Tool failed after 1 attempt: ");
    assertThat(runs).hasValue(1);
    assertThat(time.pauses()).isEmpty();
  }

  static Stream<Exception> lost() {
    return Stream.of(
        ToolException.trouble("network error", new SocketException("Connection reset")),
        new IOException("unexpected end of stream"),
        new java.util.concurrent.TimeoutException());
  }

  @ParameterizedTest
  @MethodSource("lost")
  void triesAgainWhereNoOneKnowsWhatCameOfTheLast(Exception cause) {
    ToolResult result = executor(failing(cause)).execute(call("book_it"), session);
    assertThat(result.text()).isEqualTo("ok after 2");
  }

  /// As a request does, it ends when its time is up.
  private final class Slow implements ToolHandler {
    @Override
    public Object handle(ToolHandler.Arguments arguments, ToolContext context) throws Exception {
      if (runs.incrementAndGet() > 1) {
        return "found";
      }
      CompletableFuture<Object> end = new CompletableFuture<>();
      context.onCancel(() -> end.complete("late"));
      session.cancel();
      return end.get();
    }

    @Override
    public boolean endsWhenCancelled() {
      return true;
    }
  }

  @Test
  void triesAgainAfterATimeout() {
    CompletableFuture<ToolResult> result =
        start(
            Tool.dynamic("book_it")
                .timeout(Duration.ofSeconds(1))
                .onInterrupt(ToolOptions.InterruptPolicy.FINISH)
                .answeredBy(new Slow()));
    org.awaitility.Awaitility.await().until(session::cancelled);
    time.advance(Duration.ofSeconds(1));
    assertThat(settled(result).text()).isEqualTo("found");
  }

  @Test
  void cutsAPauseShortAfterAKnownFailure() {
    ToolExecutor executor =
        ToolExecutor.of(
            Tool.dynamic("book_it")
                .retry(
                    RetryPolicy.DEFAULT.withPauses(Duration.ofSeconds(20), Duration.ofSeconds(20)))
                .deadline(Duration.ofMinutes(5))
                .onInterrupt(ToolOptions.InterruptPolicy.FINISH)
                .handler(arguments -> fail(9, new ToolException("HTTP 500"))));
    CompletableFuture<ToolResult> result = new CompletableFuture<>();
    Thread caller =
        Thread.startVirtualThread(
            () -> result.complete(executor.execute(call("book_it"), session)));
    org.awaitility.Awaitility.await()
        .until(() -> runs.get() == 1 && caller.getState() == Thread.State.TIMED_WAITING);
    session.cancel();
    assertThat(settled(result).error()).isEqualTo("Tool failed after 1 attempt: HTTP 500");
    assertThat(runs).hasValue(1);
  }

  @ParameterizedTest
  @EnumSource
  void startsNoHandlerOfACallWhoseConversationEndsBeforeIt(ToolOptions.InterruptPolicy policy) {
    Tool tool =
        Tool.dynamic("any_it").onInterrupt(policy).handler(arguments -> runs.incrementAndGet());
    // Between the moment that the call gets its place and the one at which it would begin.
    KeptConversations store =
        new KeptConversations() {
          @Override
          void after(String operation) {
            ToolSession began = cancelling.get();
            if (operation.equals("write") && began != null) {
              began.cancel();
            }
          }
        };
    ToolSession kept = ToolSession.builder("kept").store(store).build();
    ToolExecutor executor =
        ToolExecutor.builder().tools(tool).rules(ToolRule.maxCalls("any_it", 1)).build();
    cancelling.set(kept);
    ToolResult result = executor.execute(ToolCall.of("a", "any_it", "{}"), kept);
    assertThat(result.code()).isEqualTo(ResultCode.CANCELLED);
    assertThat(runs).hasValue(0);
  }

  @Test
  void startsNoHandlerForAThreadThatIsInterruptedAlready() {
    ToolExecutor executor =
        ToolExecutor.of(
            Tool.dynamic("get_x").handler(arguments -> runs.incrementAndGet()),
            Tool.dynamic("get_y").inline().handler(arguments -> runs.incrementAndGet()));
    AtomicInteger cancelled = new AtomicInteger();
    IntStream.range(0, 500)
        .forEach(n -> {
          Thread.currentThread().interrupt();
          ToolResult result = executor.execute(ToolCall.of(n % 2 == 0 ? "get_x" : "get_y", "{}"));
          assertThat(Thread.interrupted()).isTrue();
          cancelled.addAndGet(result.code() == ResultCode.CANCELLED ? 1 : 0);
        });
    assertThat(cancelled).hasValue(500);
    assertThat(runs).hasValue(0);
  }

  @Test
  void aHandlerThatBreaksBeforeItsAttemptsGivesItsPlaceBack() {
    ToolHandler broken =
        new ToolHandler() {
          @Override
          public boolean endsWhenCancelled() {
            throw new IllegalStateException("always");
          }

          @Override
          public Object handle(ToolHandler.Arguments arguments, ToolContext context) {
            return "never";
          }
        };
    ToolExecutor executor =
        ToolExecutor.builder()
            .tools(
                Tool.dynamic("get_x").answeredBy(broken),
                Tool.dynamic("get_y").handler(arguments -> "done"))
            .rules(ToolRule.oneOf("get_x", "get_y"))
            .build();
    ToolSession conversation = ToolSession.of("breaks");
    assertThat(executor.execute(ToolCall.of("a", "get_x", "{}"), conversation).code())
        .isEqualTo(ResultCode.FAILED);
    assertThat(executor.execute(ToolCall.of("b", "get_y", "{}"), conversation).success()).isTrue();
  }

  @Test
  void aCallWhoseHandlerNeverBeganSpendsNothing() {
    ToolExecutor executor =
        ToolExecutor.builder()
            .tools(Tool.dynamic("get_x").handler(arguments -> runs.incrementAndGet()))
            .rules(ToolRule.maxCalls("get_x", 1), ToolRule.cooldown("get_x", Duration.ofHours(1)))
            .build();
    ToolSession conversation = ToolSession.of("spends");
    for (int i = 0; i < 5; i++) {
      Thread.currentThread().interrupt();
      ToolResult cancelled = executor.execute(ToolCall.of("c" + i, "get_x", "{}"), conversation);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(cancelled.code()).isEqualTo(ResultCode.CANCELLED);
    }
    assertThat(executor.execute(ToolCall.of("runs", "get_x", "{}"), conversation).success())
        .isTrue();
    assertThat(executor.execute(ToolCall.of("late", "get_x", "{}"), conversation).code())
        .isEqualTo(ResultCode.RULE_VIOLATION);
    assertThat(runs).hasValue(1);
  }
}
