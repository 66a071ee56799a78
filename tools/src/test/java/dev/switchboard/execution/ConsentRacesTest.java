package dev.switchboard.execution;

import static dev.switchboard.rule.ToolRule.consent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.execution.ToolExecutor.CallStep;
import dev.switchboard.handler.Tool;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/// A call that waits for a person runs at most once and has one result, whoever answers, and
/// whatever happens at the same time.
class ConsentRacesTest extends ManualCalls {
  private static final Duration TIMEOUT = ToolExecutorBuilder.DEFAULT_CONSENT_TIMEOUT;

  private final KeptConversations store = new KeptConversations();
  private final ToolExecutor executor = executor();

  private ToolExecutor executor() {
    return asking(
        Tool.dynamic("rm")
            .mode(ToolMode.EXTERNAL)
            .deadline(Duration.ofHours(1))
            .timeout(Duration.ofHours(1))
            .inline()
            .handler(arguments -> "run " + runs.incrementAndGet()));
  }

  private ToolExecutor asking(Tool tool) {
    Tool last = Tool.dynamic("last").mode(ToolMode.EXTERNAL).handler(arguments -> "bye");
    return ToolExecutor.builder()
        .tools(tool, last)
        .rules(consent("rm"), ToolRule.exitAfter("last"))
        .time(time)
        .build();
  }

  private void submit() {
    assertThat(executor.submitAll(List.of(call("rm")), session).getFirst())
        .isInstanceOf(CallStep.Pending.class);
  }

  private Optional<ToolResult> approve(ToolSession in) {
    return executor.answer("c1", Answer.approveOnce(), in);
  }

  private List<ToolResult> results() {
    return events.stream()
        .filter(Event.ToolSettled.class::isInstance)
        .map(event -> ((Event.ToolSettled) event).result())
        .toList();
  }

  @SafeVarargs
  private static <T> List<T> atOnce(Callable<T>... steps) {
    CyclicBarrier barrier = new CyclicBarrier(steps.length);
    List<CompletableFuture<T>> all = new ArrayList<>();
    for (Callable<T> step : steps) {
      CompletableFuture<T> made = new CompletableFuture<>();
      all.add(made);
      Thread.ofPlatform()
          .daemon()
          .start(() -> {
            try {
              barrier.await();
              made.complete(step.call());
            } catch (Throwable thrown) {
              made.completeExceptionally(thrown);
            }
          });
    }
    return all.stream().map(CompletableFuture::join).toList();
  }

  @RepeatedTest(20)
  void ofTwoAnswersOneGetsTheResult() {
    submit();
    assertThat(atOnce(() -> approve(session), () -> approve(session)))
        .filteredOn(Optional::isPresent)
        .hasSize(1);
    assertThat(runs).hasValue(1);
    assertThat(results()).hasSize(1);
  }

  @RepeatedTest(20)
  void ofTwoProcessesThatAnswerOneGetsTheResult() {
    ToolSession here = ToolSession.builder("p").store(store).build();
    ToolSession there = ToolSession.builder("p").store(store).build();
    assertThat(executor.submitAll(List.of(call("rm")), here))
        .first()
        .isInstanceOf(CallStep.Pending.class);
    assertThat(atOnce(() -> approve(here), () -> executor().answer("c1", yes(), there)))
        .filteredOn(Optional::isPresent)
        .hasSize(1);
    assertThat(runs).hasValue(1);
  }

  private static Answer yes() {
    return Answer.approveOnce();
  }

  @Test
  void repeatedCallGetsResultOfAnotherProcess() {
    ToolSession here = ToolSession.builder("p").store(store).build();
    ToolSession there = ToolSession.builder("p").store(store).build();
    assertThat(executor.submitAll(List.of(call("rm")), here))
        .first()
        .isInstanceOf(CallStep.Pending.class);
    assertThat(executor().answer("c1", yes(), there)).isPresent();
    assertThat(executor.execute(call("rm"), here).text()).isEqualTo("run 1");
    assertThat(approve(here)).isEmpty();
    time.advance(TIMEOUT);
    assertThat(executor.expire(here)).isEmpty();
    assertThat(runs).hasValue(1);
  }

  @RepeatedTest(20)
  void anAnswerAndTheEndOfTheTimeGiveOneResult() {
    submit();
    List<Integer> settled =
        atOnce(
            () -> approve(session).isPresent() ? 1 : 0,
            () -> {
              time.advance(TIMEOUT);
              return executor.expire(session).size();
            });
    assertThat(settled.get(0) + settled.get(1)).isEqualTo(1);
    assertThat(results()).hasSize(1);
    assertThat(runs).hasValue(settled.get(0));
    assertThat(session.waiting()).isEmpty();
  }

  @RepeatedTest(20)
  void anAnswerAndTheEndOfTheConversationGiveOneResult() {
    submit();
    Object result =
        atOnce(
                () -> (Object) approve(session).orElseThrow(),
                () -> {
                  session.cancel();
                  return "";
                })
            .getFirst();
    boolean ran = runs.get() == 1;
    assertThat(((ToolResult) result).code()).isEqualTo(ran ? null : ResultCode.CANCELLED);
    assertThat(results()).hasSize(1);
  }

  @RepeatedTest(20)
  void anAnswerAndTheSameCallOnceMoreGiveEachItsResult() {
    submit();
    List<CallStep> again = new ArrayList<>();
    atOnce(
        () -> approve(session),
        () -> again.addAll(executor.submitAll(List.of(call("rm")), session)));
    assertThat(runs).hasValue(1);
    assertThat(again).hasSize(1);
    assertThat(results()).hasSize(2).allMatch(ToolResult::success);
  }

  @Test
  void anAnswerAfterTheTurnHasEndedRunsNothing() {
    submit();
    executor.execute(ToolCall.of("c2", "last", "{}"), session);
    assertThat(approve(session).orElseThrow().code()).isEqualTo(ResultCode.SKIPPED_AFTER_EXIT);
    assertThat(runs).hasValue(0);
  }

  @Test
  void anAnswerIsGoodInALaterTurn() {
    submit();
    session.nextTurn();
    assertThat(approve(session).orElseThrow().success()).isTrue();
  }

  @Test
  void aCallThatRunsForLongIsNotExpired() {
    CountDownLatch runsNow = new CountDownLatch(1);
    CountDownLatch ends = new CountDownLatch(1);
    ToolExecutor slow =
        asking(
            Tool.dynamic("rm")
                .mode(ToolMode.EXTERNAL)
                .timeout(Duration.ofHours(1))
                .deadline(Duration.ofHours(1))
                .handler(arguments -> {
                  runsNow.countDown();
                  ends.await();
                  return "at last";
                }));
    slow.submitAll(List.of(call("rm")), session);
    CompletableFuture<Optional<ToolResult>> answer =
        CompletableFuture.supplyAsync(() -> slow.answer("c1", yes(), session));
    awaitUninterrupted(runsNow);
    time.advance(Duration.ofMinutes(11));
    assertThat(slow.expire(session)).isEmpty();
    ends.countDown();
    assertThat(answer.join().orElseThrow().text()).isEqualTo("at last");
    assertThat(results()).hasSize(1);
    assertThat(session.state().waiting()).isEmpty();
  }
}
