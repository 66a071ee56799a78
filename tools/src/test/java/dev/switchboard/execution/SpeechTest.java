package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.Tool;
import dev.switchboard.harness.Vectors;
import dev.switchboard.harness.Vectors.Vector;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.Reassurance;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolResult;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

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
  void c095DoesNotRepeatTheProgressOfAnEarlierAttempt() {
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

  @ParameterizedTest
  @ValueSource(strings = {"C099", "C100"})
  void reassuresOnceWhenTheToolIsSlow(String id) {
    Vector vector = Vectors.byId(id);
    JsonNode given = vector.given().get("reassurance");
    Reassurance reassurance =
        given.isString()
            ? Reassurance.of(given.stringValue())
            : new Reassurance(
                given.get("message").stringValue(),
                Duration.ofMillis(given.get("after_ms").longValue()));
    long due = vector.expect().get("spoken_at_ms").longValue();
    CompletableFuture<ToolResult> result = startReassuring(reassurance);
    time.awaitSleepers(1);
    time.advance(Duration.ofMillis(due - 1));
    assertThat(hints()).isEmpty();
    time.advance(Duration.ofMillis(1));
    Awaitility.await().until(() -> !hints().isEmpty());
    time.awaitSleepers(1);
    time.advance(Duration.ofMillis(vector.given().get("tool_ms").longValue() - due));
    never.countDown();
    settled(result);
    assertThat(hints()).hasSize(vector.expect().get("times").intValue());
  }

  @Test
  void reassuresInAPauseThatPassesAtOnce() {
    Tool tool =
        Tool.dynamic("get_it")
            .reassurance("One moment")
            .retry(RetryPolicy.DEFAULT.withPauses(Duration.ofSeconds(1), Duration.ofSeconds(5)))
            .handler(arguments -> fail(9, new IllegalStateException()));

    assertThat(executor(tool).execute(call("get_it"), session).success()).isFalse();
    assertThat(hints()).containsExactly("One moment");
    assertThat(time.pauses()).hasSize(2);
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
  void c105DoesNotReassureAfterAHangUp() {
    CompletableFuture<ToolResult> result =
        startReassuring(new Reassurance("One moment", Duration.ofMillis(800)));
    time.awaitSleepers(1);
    time.advance(
        Duration.ofMillis(Vectors.byId("C105").given().get("caller hangs up at").longValue()));
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
  void c104DoesNotReassureWhereProgressWasSaid() {
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
