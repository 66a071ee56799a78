package dev.switchboard.phone.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.harness.Vectors;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.tool.Reassurance;
import dev.switchboard.tool.ToolMode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Areas `progress` and `reassurance` on a live line, by the ids of the cases.
class SpeechVectorsTest {
  private final ManualTime time = new ManualTime();
  private final CountDownLatch over = new CountDownLatch(1); // the tool may come to its end
  private final AtomicReference<ToolContext> context = new AtomicReference<>();

  @AfterEach
  void release() {
    over.countDown();
  }

  private PlayedCall call(Tool tool) {
    Agent agent =
        Agent.builder("Shop")
            .prompt("You sell.")
            .store(new InProcessConversations())
            .time(time)
            .tools(tool)
            .build();
    return new PlayedCall(PlayedCall.ARRIVAL, agent, PlayedCall.SETTINGS, time).talking();
  }

  private static Tool.DynamicBuilder tool() {
    return Tool.dynamic("t").mode(ToolMode.READ);
  }

  private Tool slow(Reassurance reassurance) {
    return tool()
        .reassurance(reassurance)
        .handler((arguments, of) -> {
          context.set(of);
          over.await();
          return "done";
        });
  }

  private static Reassurance reassurance(JsonNode given) {
    return given.isString()
        ? Reassurance.of(given.stringValue())
        : new Reassurance(
            given.path("message").stringValue(),
            Duration.ofMillis(given.path("after_ms").longValue()));
  }

  /// The caller asks, and the model calls the tool without a word.
  private static void calls(PlayedCall call) {
    call.says("i1", "Look, please.");
    String asks = call.created();
    call.calls(asks, "call_1", "t", "{}");
    call.done(asks);
  }

  /// What was asked to be said outside the conversation, in its order.
  private static List<String> asides(PlayedCall call) {
    return call.toEngine().stream()
        .filter(one -> one.startsWith("create aside"))
        .map(one -> one.substring("create aside ".length()))
        .toList();
  }

  private static List<String> outputs(PlayedCall call) {
    return call.toEngine().stream().filter(one -> one.startsWith("output")).toList();
  }

  /// Says what is to be said until the model answers again; the order of what is created.
  private static List<String> spokenOut(PlayedCall call) {
    List<String> order = new ArrayList<>();
    int told = 1; // the first response called the tool
    while (order.isEmpty() || !order.getLast().equals("answer")) {
      int so = told;
      call.until(() -> call.responses.size() > so);
      boolean aside = call.responses.getLast().aside();
      order.add(aside ? asides(call).getLast() : "answer");
      call.speaks("words", 300);
      told++;
    }
    return order;
  }

  private static List<String> strings(JsonNode list) {
    return list.valueStream().map(JsonNode::stringValue).toList();
  }

  // -- progress

  @Test
  void c089ProgressIsSpokenInItsOrderBeforeTheResult() {
    JsonNode yields = Vectors.given("C089").path("handler_yields");
    PlayedCall call =
        call(
            tool()
                .handler((arguments, of) -> {
                  for (JsonNode one : yields) {
                    if (one.has("result")) {
                      return one.path("result").stringValue();
                    }
                    of.progress(one.path("progress").stringValue());
                  }
                  throw new AssertionError();
                }));
    calls(call);

    List<String> expected = new ArrayList<>(strings(Vectors.expect("C089").path("spoken")));
    expected.add("answer");
    assertThat(spokenOut(call)).isEqualTo(expected);
    assertThat(outputs(call))
        .containsExactly(
            "output call_1 " + Vectors.expect("C089").path("function_result").stringValue());
    assertThat(Vectors.expect("C089").path("order").stringValue())
        .isEqualTo("spoken before result");
  }

  @Test
  void c091WhatAToolSaysAfterItsResultIsDropped() {
    JsonNode yields = Vectors.given("C091").path("handler_yields");
    AtomicReference<ToolContext> kept = new AtomicReference<>();
    PlayedCall call =
        call(
            tool()
                .handler((arguments, of) -> {
                  kept.set(of);
                  return yields.at("/0/result").stringValue();
                }));
    calls(call);
    call.until(() -> call.responses.size() == 2);
    kept.get().progress(yields.at("/1/progress").stringValue());
    call.until(() -> true);

    assertThat(outputs(call))
        .containsExactly(
            "output call_1 " + Vectors.expect("C091").path("function_result").stringValue());
    assertThat(asides(call)).isEqualTo(strings(Vectors.expect("C091").path("spoken")));
  }

  @Test
  void c094TheReturnValueIsTheResult() {
    PlayedCall call =
        call(
            tool()
                .handler((arguments, of) -> {
                  of.progress("working");
                  return Vectors.given("C094").path("generator return value").stringValue();
                }));
    calls(call);

    assertThat(spokenOut(call)).containsExactly("working", "answer");
    assertThat(outputs(call))
        .containsExactly(
            "output call_1 " + Vectors.expect("C094").path("function_result").stringValue());
  }

  @Test
  void c095ProgressIsNotRepeatedByALaterAttempt() {
    PlayedCall call =
        call(
            tool()
                .handler((arguments, of) -> {
                  of.progress("Looking...");
                  if (of.attempt() == 1) {
                    throw new IOException("once");
                  }
                  of.progress("Found it.");
                  return "ok";
                }));
    calls(call);

    assertThat(Vectors.expect("C095").path("spoken_progress_not_repeated").booleanValue()).isTrue();
    assertThat(spokenOut(call)).containsExactly("Looking...", "Found it.", "answer");
    assertThat(outputs(call)).containsExactly("output call_1 ok");
  }

  @Test
  void blankProgressIsNotSpokenAndQuotesStayWords() {
    PlayedCall call =
        call(
            tool()
                .handler((arguments, of) -> {
                  of.progress("  \n");
                  of.progress("The \"big\" one\nis there.");
                  return "ok";
                }));
    calls(call);

    assertThat(spokenOut(call)).containsExactly("The \"big\" one\nis there.", "answer");
  }

  // -- reassurance

  @ParameterizedTest
  @ValueSource(strings = {"C099", "C100"})
  void aReassuranceIsSaidOnceWhenItIsDue(String id) {
    Reassurance reassurance = reassurance(Vectors.given(id).path("reassurance"));
    long due = Vectors.expect(id).path("spoken_at_ms").longValue();
    PlayedCall call = call(slow(reassurance));
    calls(call);
    call.until(() -> context.get() != null);
    call.advance(Duration.ofMillis(due - 1));
    call.until(() -> true);
    assertThat(asides(call)).isEmpty();
    call.advance(Duration.ofMillis(1));
    call.until(() -> call.responses.size() == 2);
    assertThat(time.elapsed()).isEqualTo(Duration.ofMillis(due));
    call.speaks(reassurance.message(), 400);
    for (long left = Vectors.given(id).path("tool_ms").longValue() - due; left > 0; left -= 100) {
      call.advance(Duration.ofMillis(100));
    }
    over.countDown();
    call.until(() -> call.toEngine().getLast().equals("create answer AUTO"));

    assertThat(asides(call)).hasSize(Vectors.expect(id).path("times").intValue());
    assertThat(asides(call).getFirst()).isEqualTo(reassurance.message());
    assertThat(outputs(call)).containsExactly("output call_1 done");
  }

  @Test
  void aToolThatIsQuickerIsNotExcused() {
    PlayedCall call = call(slow(Reassurance.of("One moment.")));
    calls(call);
    call.until(() -> context.get() != null);
    call.advance(Duration.ofMillis(1_499));
    over.countDown();
    call.until(() -> call.responses.size() == 2);
    call.speaks("Here it is.", 300);
    call.advance(Duration.ofSeconds(3));
    call.until(() -> true);

    assertThat(asides(call)).isEmpty();
  }

  @Test
  void c104ProgressWithinTheWindowTakesTheReassurancesPlace() {
    PlayedCall call = call(slow(reassurance(Vectors.given("C104").path("reassurance"))));
    calls(call);
    call.until(() -> context.get() != null);
    call.advance(Duration.ofMillis(Vectors.given("C104").path("progress spoken at").longValue()));
    context.get().progress("I have found it.");
    call.until(() -> call.responses.size() == 2);
    call.speaks("I have found it.", 300);
    for (int i = 0; i < 35; i++) {
      call.advance(Duration.ofMillis(100));
      call.until(() -> true);
    }
    assertThat(time.elapsed())
        .isEqualTo(Duration.ofMillis(Vectors.given("C104").path("tool_ms").longValue()));
    over.countDown();
    call.until(() -> call.responses.size() == 3);

    assertThat(Vectors.expect("C104").path("decision").stringValue()).contains("never both");
    assertThat(asides(call)).containsExactly("I have found it.");
  }

  @Test
  void c105NothingIsSaidAfterTheCallerHasHungUp() {
    PlayedCall call = call(slow(reassurance(Vectors.given("C105").path("reassurance"))));
    calls(call);
    call.until(() -> context.get() != null);
    call.advance(Duration.ofMillis(Vectors.given("C105").path("caller hangs up at").longValue()));
    call.carrier(new CarrierEvent.Disconnected());
    call.advance(Duration.ofMillis(Vectors.given("C105").path("tool_ms").longValue()));
    over.countDown();
    call.until(() -> !call.ended.isEmpty());

    assertThat(asides(call)).isEqualTo(strings(Vectors.expect("C105").path("spoken")));
    assertThat(call.responses).hasSize(1);
  }

  /// The caller still hears what the model said before it called the tool.
  @Test
  void c106AReassuranceWaitsForTheEndOfThePreamble() {
    Reassurance reassurance = reassurance(Vectors.given("C106").path("reassurance"));
    PlayedCall call = call(slow(reassurance));
    call.says("i1", "Look, please.");
    String asks = call.created();
    call.engine(new EngineEvent.Spoken(asks, "item-" + asks, "I will look that up."));
    call.audio(asks, 2_000);
    call.calls(asks, "call_1", "t", "{}");
    call.done(asks);
    call.until(() -> context.get() != null);
    for (int i = 0; i < 20; i++) {
      call.advance(Duration.ofMillis(100));
      call.until(() -> true);
    }
    assertThat(asides(call)).isEmpty();
    call.hearsAll();
    call.advance(Duration.ofMillis(1_499));
    call.until(() -> true);
    assertThat(asides(call)).isEmpty();
    for (int i = 0; i < 2; i++) {
      call.advance(Duration.ofMillis(100));
      call.until(() -> true);
    }
    call.until(() -> call.responses.size() == 2);
    assertThat(asides(call)).containsExactly(reassurance.message());
  }

  /// A response to something else is on the way when it is due.
  @Test
  void c106NoResponseIsAskedForWhileOneIsActive() {
    PlayedCall call = call(slow(reassurance(Vectors.given("C106").path("reassurance"))));
    calls(call);
    call.until(() -> context.get() != null);
    call.says("i2", "And how are you?");
    String active = call.created();
    call.audio(active, 100);
    for (int i = 0; i < 25; i++) {
      call.advance(Duration.ofMillis(100));
      call.until(() -> true);
    }
    assertThat(
            Vectors.expect("C106").path("no_response_create_while_response_active").booleanValue())
        .isTrue();
    assertThat(call.responses).hasSize(2);
    call.done(active);
    call.hearsAll();
    call.advance(Duration.ofSeconds(2));
    call.until(() -> call.responses.size() == 3);
    assertThat(asides(call)).hasSize(1);
  }

  @Test
  void nothingIsSaidOverACallerWhoSpeaks() {
    PlayedCall call = call(slow(Reassurance.of("One moment.")));
    calls(call);
    call.until(() -> context.get() != null);
    call.advance(Duration.ofMillis(1_000));
    call.engine(new EngineEvent.SpeechStarted());
    call.advance(Duration.ofMillis(1_000));
    call.until(() -> true);

    assertThat(asides(call)).isEmpty();
  }
}
