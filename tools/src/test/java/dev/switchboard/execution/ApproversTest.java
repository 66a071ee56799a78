package dev.switchboard.execution;

import static dev.switchboard.rule.ToolRule.consent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.Approver;
import dev.switchboard.handler.Tool;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// One result for every call, whatever an approver does.
class ApproversTest extends ManualCalls {
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch interrupted = new CountDownLatch(1);
  private final Approver hanging =
      request -> {
        asked.countDown();
        try {
          never.await();
        } finally {
          interrupted.countDown();
        }
        return Answer.approveOnce();
      };

  private ToolExecutor asking(Approver approver) {
    Tool rm =
        Tool.dynamic("rm")
            .mode(ToolMode.EXTERNAL)
            .handler(arguments -> "run " + runs.incrementAndGet());
    return ToolExecutor.builder()
        .tools(rm)
        .rules(consent("rm"))
        .approver(approver)
        .time(time)
        .build();
  }

  private void refused(Approver approver, ResultCode code) {
    refused(asking(approver).execute(call("rm"), session), code);
  }

  private void refused(ToolResult result, ResultCode code) {
    assertThat(result.code()).isEqualTo(code);
    assertThat(runs).hasValue(0);
    assertThat(events).filteredOn(Event.ToolSettled.class::isInstance).hasSize(1);
  }

  @Test
  void noOneIsThere() {
    refused(Approver.NOBODY, ResultCode.NO_APPROVER);
  }

  @Test
  void anApproverThatThrowsIsNotThere() {
    refused(
        request -> {
          throw new AssertionError("broken");
        },
        ResultCode.NO_APPROVER);
  }

  @Test
  @SuppressWarnings("NullAway") // what a careless host does
  void anApproverThatAnswersNothingIsNotThere() {
    refused(request -> null, ResultCode.NO_APPROVER);
  }

  @Test
  void anApproverThatGivesUpIsNotThere() {
    refused(
        request -> {
          throw new InterruptedException();
        },
        ResultCode.NO_APPROVER);
  }

  private CompletableFuture<ToolResult> waiting() {
    ToolExecutor executor = asking(hanging);
    CompletableFuture<ToolResult> result = new CompletableFuture<>();
    Thread.startVirtualThread(() -> result.complete(executor.execute(call("rm"), session)));
    awaitUninterrupted(asked);
    time.awaitSleepers(1);
    return result;
  }

  @Test
  void anApproverThatDoesNotAnswerInTimeIsInterrupted() {
    CompletableFuture<ToolResult> result = waiting();
    time.advance(ToolExecutorBuilder.DEFAULT_CONSENT_TIMEOUT);
    refused(settled(result), ResultCode.CONSENT_TIMEOUT);
    awaitUninterrupted(interrupted);
  }

  @Test
  void theEndOfTheConversationEndsTheAsking() {
    CompletableFuture<ToolResult> result = waiting();
    session.cancel();
    refused(settled(result), ResultCode.CANCELLED);
    awaitUninterrupted(interrupted);
  }

  @Test
  void anInterruptOfTheCallerEndsTheAskingAndStays() {
    ToolExecutor executor = asking(hanging);
    CompletableFuture<ToolResult> result = new CompletableFuture<>();
    CompletableFuture<Boolean> flag = new CompletableFuture<>();
    Thread caller =
        Thread.startVirtualThread(() -> {
          ToolResult given = executor.execute(call("rm"), session);
          flag.complete(Thread.currentThread().isInterrupted());
          result.complete(given);
        });
    awaitUninterrupted(asked);
    caller.interrupt();
    refused(settled(result), ResultCode.CANCELLED);
    assertThat(flag.join()).isTrue();
  }

  @Test
  void anAnswerThatEndsTheConversationRunsNothing() {
    refused(
        request -> {
          session.cancel();
          return Answer.approveOnce();
        },
        ResultCode.CANCELLED);
  }
}
