package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolException;
import dev.switchboard.handler.ToolOptions;
import dev.switchboard.handler.ToolOptions.Delivery.Found;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Attempts of a call that may run once only, in a process that lives.
class OneAttemptTest extends WatchedCalls {
  private static final String DOUBT =
      "It is not known whether it was done: do not repeat it without asking the user.";
  private static final RetryPolicy AT_ONCE =
      RetryPolicy.DEFAULT.withPauses(Duration.ZERO, Duration.ZERO);

  private Tool.DynamicBuilder once() {
    return Tool.dynamic("book_it").retry(AT_ONCE).atMostOnce();
  }

  private ToolResult throwing(Exception cause) {
    Tool tool = once().handler(arguments -> fail(9, cause));
    return ToolExecutor.of(tool).execute(call("book_it"), session);
  }

  @Test
  void repeatsWhatWasNeverSent() {
    ToolResult result = throwing(ToolException.trouble("down", new ConnectException()));
    assertThat(result.error()).isEqualTo("Tool failed after 3 attempts: down");
    assertThat(runs).hasValue(3);
  }

  @Test
  void doesNotRepeatWhatMayHaveArrived() {
    ToolResult result = throwing(ToolException.trouble("gone", new SocketException()));
    assertThat(result.error()).isEqualTo("Tool failed after 1 attempt: gone. " + DOUBT);
    assertThat(result.code()).isEqualTo(ResultCode.FAILED);
    assertThat(runs).hasValue(1);
  }

  @Test
  void doesNotRepeatWhatAHandlerThrows() {
    assertThat(throwing(new ToolException("no")).error())
        .isEqualTo("Tool failed after 1 attempt: no");
    assertThat(runs).hasValue(1);
  }

  @Test
  void doesNotTakeAHandlersWordThatNothingWasSent() {
    // It may have sent something before.
    assertThat(throwing(new ConnectException()).success()).isFalse();
    assertThat(runs).hasValue(1);
  }

  @Test
  void doesNotRepeatAnOverload() {
    assertThat(throwing(ToolException.passing("busy", null)).success()).isFalse();
    assertThat(runs).hasValue(1);
  }

  @Test
  void saysThatACallWhoseTimeIsUpMayHaveBeenDone() {
    Tool tool =
        once()
            .handler(arguments -> {
              time.advance(Duration.ofSeconds(10));
              never.await();
              return 1;
            });
    ToolResult result = executor(tool).execute(call("book_it"), session);
    assertThat(result.error())
        .isEqualTo("Tool failed after 1 attempt: 'book_it' timed out after 10 s. " + DOUBT);
    assertThat(result.code()).isEqualTo(ResultCode.TIMEOUT);
  }

  @Test
  void saysThatACancelledCallMayHaveBeenDone() {
    Host host =
        host(once().onInterrupt(ToolOptions.InterruptPolicy.CANCEL).answeredBy(new Waiting()));
    awaitAttempts(1);
    session.cancel();
    assertThat(host.settled().code()).isEqualTo(ResultCode.CANCELLED);
    assertThat(host.settled().error()).endsWith("was ended. " + DOUBT);
  }

  @Test
  void doesNotSayThatUnstartedCancelledCallMayHaveRun() {
    session.cancel();
    ToolResult result = executor(once().handler(arguments -> 1)).execute(call("book_it"), session);
    assertThat(result.error()).doesNotContain("not known");
  }

  @Test
  void anInterruptDoesNotHaveItMadeAgain() {
    Host host = host(once().answeredBy(new Waiting()));
    awaitAttempts(1);
    host.thread.interrupt();
    answer.complete("booked");
    assertThat(host.settled().text()).isEqualTo("booked");
    assertThat(attempts).containsExactly(1);
  }

  @Test
  void aProbeFindsTheAnswerThatGotLost() {
    AtomicInteger probes = new AtomicInteger();
    Tool tool =
        Tool.dynamic("book_it")
            .reconcile((arguments, context) -> {
              probes.incrementAndGet();
              return Found.done("booked");
            })
            .handler(arguments -> fail(1, ToolException.trouble("gone", new IOException())));
    assertThat(executor(tool).execute(call("book_it"), session).text()).isEqualTo("booked");
    assertThat(probes).hasValue(1);
    assertThat(runs).hasValue(1);
  }

  @Test
  void aProbeThatFindsNothingYetHasItNotMadeAgain() {
    // What was sent may still arrive.
    Tool tool =
        Tool.dynamic("book_it")
            .retry(AT_ONCE)
            .reconcile((arguments, context) -> Found.NOT_DONE)
            .handler(arguments -> fail(1, ToolException.trouble("gone", new IOException())));
    assertThat(executor(tool).execute(call("book_it"), session).error())
        .isEqualTo("Tool failed after 1 attempt: gone. " + DOUBT);
    assertThat(runs).hasValue(1);
  }

  @Test
  void aProbeIsBounded() {
    CountDownLatch probing = new CountDownLatch(1);
    Tool tool =
        Tool.dynamic("book_it")
            .reconcile((arguments, context) -> {
              probing.countDown();
              never.await();
              return Found.NOT_DONE;
            })
            .handler(arguments -> fail(1, ToolException.trouble("gone", new IOException())));
    CompletableFuture<ToolResult> result = start(tool);
    awaitUninterrupted(probing);
    time.awaitSleepers(1);
    time.advance(Duration.ofSeconds(10));
    assertThat(settled(result).error()).isEqualTo("Tool failed after 1 attempt: gone. " + DOUBT);
  }

  @Test
  void theDefaultFollowsFromModeReceiverAndRetries() {
    assertThat(delivery(Tool.dynamic("get_it"))).isEqualTo("at_least_once");
    assertThat(delivery(Tool.dynamic("shell_it"))).isEqualTo("at_least_once");
    assertThat(delivery(Tool.dynamic("delete_it"))).isEqualTo("at_most_once");
    assertThat(delivery(Tool.dynamic("it").mode(ToolMode.DESTRUCTIVE))).isEqualTo("at_most_once");
    assertThat(delivery(Tool.dynamic("delete_it").retry(RetryPolicy.NONE)))
        .isEqualTo("at_most_once");
    assertThat(delivery(Tool.dynamic("delete_it").retry(AT_ONCE))).isEqualTo("at_least_once");
    assertThat(delivery(Tool.dynamic("delete_it").atLeastOnce())).isEqualTo("at_least_once");
    assertThat(delivery(Tool.dynamic("get_it").reconcile((a, c) -> Found.UNKNOWN)))
        .isEqualTo("reconcile");
  }

  private static String delivery(Tool.DynamicBuilder tool) {
    return tool.handler(arguments -> 1).options().delivery().word();
  }
}
