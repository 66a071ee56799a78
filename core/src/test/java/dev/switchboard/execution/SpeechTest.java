package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.Tool;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.Reassurance;
import dev.switchboard.tool.ToolResult;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// Progress and reassurance, by a clock made by hand.
class SpeechTest extends ManualCalls {
  @Test
  void saysProgressBeforeTheResultAndNothingAfterIt() {
    CompletableFuture<ToolContextHolder> late = new CompletableFuture<>();
    Tool tool =
        Tool.dynamic("t")
            .handler((arguments, context) -> {
              late.complete(new ToolContextHolder(context));
              context.progress("Searching...");
              context.progress(" ");
              return "found";
            });
    executor(tool).execute(call("t"), session);
    late.join().context().progress("too late");
    assertThat(hints()).containsExactly("Searching...");
    assertThat(events.getLast()).isInstanceOf(Event.ToolSettled.class);
  }

  private record ToolContextHolder(dev.switchboard.handler.ToolContext context) {}

  @Test
  void doesNotRepeatTheProgressOfAnEarlierAttempt() {
    Tool tool =
        Tool.dynamic("t")
            .handler((arguments, context) -> {
              context.progress("Looking...");
              context.progress("Looking...");
              return fail(1, new IOException());
            });
    executor(tool).execute(call("t"), session);
    assertThat(hints()).containsExactly("Looking...", "Looking...");
  }

  private CompletableFuture<ToolResult> startReassuring(Reassurance reassurance) {
    return start(
        Tool.dynamic("get_it")
            .reassurance(reassurance)
            .handler(arguments -> {
              never.await();
              return "found";
            }));
  }

  @Test
  void reassuresOnceWhenTheToolIsSlow() {
    CompletableFuture<ToolResult> result =
        startReassuring(Reassurance.of("Let me check the calendar for you..."));
    time.awaitSleepers(1);
    time.advance(Duration.ofMillis(1499));
    assertThat(hints()).isEmpty();
    time.advance(Duration.ofMillis(1));
    org.awaitility.Awaitility.await().until(() -> !hints().isEmpty());
    time.awaitSleepers(1);
    time.advance(Duration.ofMillis(1500));
    never.countDown();
    settled(result);
    assertThat(hints()).containsExactly("Let me check the calendar for you...");
  }

  @Test
  void doesNotReassureAfterTheAnswer() {
    CompletableFuture<ToolResult> result =
        startReassuring(new Reassurance("One moment", Duration.ofMillis(800)));
    time.awaitSleepers(1);
    never.countDown();
    settled(result);
    time.advance(Duration.ofSeconds(3));
    assertThat(hints()).isEmpty();
  }

  @Test
  void doesNotReassureAfterAHangUp() {
    CompletableFuture<ToolResult> result =
        startReassuring(new Reassurance("One moment", Duration.ofMillis(800)));
    time.awaitSleepers(1);
    time.advance(Duration.ofMillis(700));
    session.cancel();
    settled(result);
    time.advance(Duration.ofSeconds(3));
    assertThat(hints()).isEmpty();
  }

  @Test
  void doesNotReassureAfterAHangUpThoughTheCallFinishes() {
    CompletableFuture<ToolResult> result =
        start(
            Tool.dynamic("book_it")
                .reassurance(new Reassurance("One moment", Duration.ofMillis(800)))
                .handler(arguments -> {
                  never.await();
                  return "booked";
                }));
    time.awaitSleepers(1);
    time.advance(Duration.ofMillis(700));
    session.cancel();
    time.advance(Duration.ofSeconds(3));
    never.countDown();
    assertThat(settled(result).text()).isEqualTo("booked");
    assertThat(hints()).isEmpty();
  }

  @Test
  void doesNotReassureWhereProgressWasSaid() {
    CountDownLatch said = new CountDownLatch(1);
    CompletableFuture<ToolResult> result =
        start(
            Tool.dynamic("get_it")
                .reassurance("x")
                .handler((arguments, context) -> {
                  context.progress("Working...");
                  said.countDown();
                  never.await();
                  return "found";
                }));
    awaitUninterrupted(said);
    time.awaitSleepers(1);
    time.advance(Duration.ofSeconds(4));
    never.countDown();
    settled(result);
    assertThat(hints()).containsExactly("Working...");
  }
}
