package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.Approver;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ToolExecutor.CallStep;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolContext.Consent.Reply;
import dev.switchboard.handler.ToolOptions;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Questions that a handler asks a person while it runs.
class HandlerConsentTest extends ManualCalls {
  private final AtomicReference<ConsentRequest> request = new AtomicReference<>();
  private final CompletableFuture<Reply> reply = new CompletableFuture<>();
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch interrupted = new CountDownLatch(1);
  private final Approver hanging =
      one -> {
        asked.countDown();
        try {
          never.await();
        } finally {
          interrupted.countDown();
        }
        return Answer.approveOnce();
      };

  private Tool pay() {
    return Tool.dynamic("pay")
        .timeout(Duration.ofSeconds(60))
        .deadline(Duration.ofSeconds(60))
        .onInterrupt(ToolOptions.InterruptPolicy.FINISH)
        .handler((arguments, context) -> {
          Reply given = context.consent().ask("Pay 12 euros?");
          reply.complete(given);
          return given.agreed() ? "paid" : "not paid: " + given.reason();
        });
  }

  private ToolExecutor executor(Approver approver, Duration patience) {
    return ToolExecutor.builder()
        .tools(pay())
        .approver(approver)
        .consentTimeout(patience)
        .time(time)
        .build();
  }

  private String answered(Answer answer) {
    Approver person =
        one -> {
          request.set(one);
          return answer;
        };
    return String.valueOf(
        executor(person, Duration.ofMinutes(5)).execute(call("pay"), session).text());
  }

  @Test
  void aPersonSaysYes() {
    assertThat(answered(Answer.approveOnce())).isEqualTo("paid");

    assertThat(request.get().reason()).isEqualTo("Pay 12 euros?");
    assertThat(request.get().id()).isEqualTo("c1.1.1");
    assertThat(request.get().call().name()).isEqualTo("pay");
    assertThat(request.get().expiresAt()).isEqualTo(time.now().plusSeconds(60));
    assertThat(events)
        .contains(new Event.AgentEvent("consent_request", request.get().json()))
        .hasSize(4);
  }

  @Test
  void aPersonSaysNoAndWhy() {
    assertThat(answered(Answer.deny("too much"))).isEqualTo("not paid: too much");
  }

  @Test
  void aYesToOtherArgumentsIsNone() {
    assertThat(answered(Answer.approveOnce().with(Json.text("{\"amount\":1}"))))
        .isEqualTo("not paid: the arguments of a call that runs cannot be changed");
  }

  @Test
  void aLastingYesHoldsForItsQuestionAlone() {
    assertThat(answered(Answer.approveAlways())).isEqualTo("paid");

    ToolResult next =
        executor(one -> Answer.deny("no"), Duration.ofMinutes(5))
            .execute(new dev.switchboard.tool.ToolCall("c2", "pay", Json.EMPTY_OBJECT), session);
    assertThat(next.text()).isEqualTo("not paid: no");
  }

  @Test
  void noOneToAskIsSaidAtOnce() {
    assertThat(answered(new Answer.Nobody())).isEqualTo("not paid: there is no one to ask");
    events.clear();

    ToolExecutor alone = ToolExecutor.builder().tools(pay()).time(time).build();
    assertThat(alone.execute(call("pay")).text()).isEqualTo("not paid: there is no one to ask");
    assertThat(alone.submitAll(List.of(call("pay")), ToolSession.of("other")))
        .singleElement()
        .isInstanceOf(CallStep.Settled.class);
    assertThat(events).isEmpty();
  }

  @Test
  void anApproverThatThrowsIsNotThere() {
    Approver broken =
        one -> {
          throw new AssertionError("broken");
        };

    assertThat(executor(broken, Duration.ofMinutes(5)).execute(call("pay"), session).text())
        .isEqualTo("not paid: there is no one to ask");
  }

  private CompletableFuture<ToolResult> waiting(Duration patience) {
    ToolExecutor executor = executor(hanging, patience);
    CompletableFuture<ToolResult> result = new CompletableFuture<>();
    Thread.startVirtualThread(() -> result.complete(executor.execute(call("pay"), session)));
    awaitUninterrupted(asked);
    time.awaitSleepers(2);
    return result;
  }

  @Test
  void noAnswerInTheTimeThatARequestMayWaitIsNo() {
    CompletableFuture<ToolResult> result = waiting(Duration.ofSeconds(20));

    time.advance(Duration.ofSeconds(20));

    assertThat(settled(result).text()).isEqualTo("not paid: no one answered in time");
    awaitUninterrupted(interrupted);
  }

  @Test
  void theDeadlineOfTheCallEndsTheAsking() {
    CompletableFuture<ToolResult> result = waiting(Duration.ofMinutes(5));

    time.advance(Duration.ofSeconds(60));

    assertThat(settled(result).code()).isEqualTo(ResultCode.TIMEOUT);
    awaitUninterrupted(interrupted);
    assertThat(reply.join().agreed()).isFalse();
  }

  @Test
  void theDeadlineEndsTheAskingOfAnInlineHandlerToo() {
    Tool inline =
        Tool.dynamic("pay")
            .inline()
            .deadline(Duration.ofSeconds(5))
            .handler((arguments, context) -> context.consent().ask("Pay?").reason());
    ToolExecutor executor =
        ToolExecutor.builder().tools(inline).approver(hanging).time(time).build();
    CompletableFuture<ToolResult> result = new CompletableFuture<>();
    Thread.startVirtualThread(() -> result.complete(executor.execute(call("pay"), session)));
    awaitUninterrupted(asked);
    time.awaitSleepers(1);

    time.advance(Duration.ofSeconds(5));

    assertThat(settled(result).text()).isEqualTo("no one answered in time");
  }

  @Test
  void theEndOfTheAttemptEndsTheAskingOnAnyThread() {
    Tool elsewhere =
        Tool.dynamic("pay")
            .timeout(Duration.ofSeconds(5))
            .handler((arguments, context) -> {
              Thread.startVirtualThread(() -> reply.complete(context.consent().ask("Pay?")));
              never.await();
              return "paid";
            });
    ToolExecutor executor =
        ToolExecutor.builder().tools(elsewhere).approver(hanging).time(time).build();
    CompletableFuture<ToolResult> result = new CompletableFuture<>();
    Thread.startVirtualThread(() -> result.complete(executor.execute(call("pay"), session)));
    awaitUninterrupted(asked);
    time.awaitSleepers(2);

    time.advance(Duration.ofSeconds(5));

    assertThat(settled(result).code()).isEqualTo(ResultCode.TIMEOUT);
    awaitUninterrupted(interrupted);
    assertThat(reply.join()).isEqualTo(Reply.no("the call is over"));
  }

  @Test
  void cancellationEndsConsentRequestButNotTheCall() {
    CompletableFuture<ToolResult> result = waiting(Duration.ofMinutes(5));

    session.cancel();

    assertThat(settled(result).text()).isEqualTo("not paid: the call is over");
    awaitUninterrupted(interrupted);
  }

  @Test
  void aBlankQuestionIsAFaultOfTheHandler() {
    Tool blank =
        Tool.dynamic("blank").handler((arguments, context) -> context.consent().ask(" ").reason());

    assertThat(executor(blank).execute(call("blank")).error()).contains("IllegalArgument");
  }
}
