package dev.switchboard.phone.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.harness.Vectors;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.phone.call.CallSettings.Phrase;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.text.PhoneNumber;
import dev.switchboard.tool.ToolMode;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// What the call itself makes of the areas `openai-realtime`, `twilio-ws`, `variables` and
/// `transcript`, by the ids of the cases.
class CallVectorsTest {
  private static final CallSettings USUAL = PlayedCall.SETTINGS;

  private final InProcessConversations store = new InProcessConversations();
  private final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();
  private final AtomicInteger runs = new AtomicInteger();

  /// A tool that waits for its gate.
  private Tool gated(String name) {
    return Tool.dynamic(name)
        .mode(ToolMode.READ)
        .handler((arguments, context) -> {
          runs.incrementAndGet();
          gates.computeIfAbsent(name, any -> new CountDownLatch(1)).await();
          return "{\"of\":\"" + name + "\"}";
        });
  }

  private void open(String gate) {
    gates.computeIfAbsent(gate, any -> new CountDownLatch(1)).countDown();
  }

  private PlayedCall call(Tool... tools) {
    return new PlayedCall(agent("You sell.", tools), USUAL).talking();
  }

  private Agent agent(String prompt, Tool... tools) {
    return Agent.builder("Shop").prompt(prompt).store(store).tools(tools).build();
  }

  private static List<String> outputs(PlayedCall call) {
    return call.toEngine().stream().filter(one -> one.startsWith("output")).toList();
  }

  // -- openai-realtime

  @Test
  void c249OneResponseFollowsBothOutputsAndTheEndOfTheResponse() {
    assertThat(Vectors.given("C249").path("two function calls in one response").booleanValue())
        .isTrue();
    JsonNode expected = Vectors.expect("C249");
    PlayedCall call = call(gated("one"), gated("two"));
    call.says("i1", "Both, please.");
    String asks = call.created();
    call.calls(asks, "call_1", "one", "{}");
    call.calls(asks, "call_2", "two", "{}");
    open("two");
    call.until(() -> true);
    assertThat(outputs(call)).isEmpty();
    call.done(asks);
    call.until(() -> outputs(call).size() == 1);
    assertThat(call.responses).hasSize(1);
    open("one");
    call.until(() -> call.responses.size() == 2);
    call.until(() -> true);

    assertThat(outputs(call))
        .hasSize(expected.path("function_call_outputs").intValue())
        .containsExactly("output call_2 {\"of\":\"two\"}", "output call_1 {\"of\":\"one\"}");
    assertThat(call.responses).hasSize(1 + expected.path("response_create_count").intValue());
    assertThat(expected.path("response_create_after").stringValue())
        .isEqualTo("both outputs and response.done");
    assertThat(call.toEngine().getLast()).isEqualTo("create answer AUTO");
  }

  @Test
  void c252ACallRunsOnceHoweverOftenItIsDelivered() {
    PlayedCall call = call(gated("one"));
    open("one");
    call.says("i1", "Once.");
    String asks = call.created();
    call.calls(asks, "call_1", "one", "{}");
    call.calls(asks, "call_1", "one", "{}");
    call.done(asks);
    call.until(() -> call.responses.size() == 2);
    // Also in a later response, and with other arguments.
    String again = call.created();
    call.calls(again, "call_1", "one", "{\"n\":2}");
    call.done(again);
    call.until(() -> true);

    assertThat(runs).hasValue(Vectors.expect("C252").path("handler_invocations").intValue());
    assertThat(outputs(call)).hasSize(1);
  }

  @Test
  void c253ACancelledToolHasAnOutput() {
    assertThat(Vectors.given("C253").path("tool is cancelled").booleanValue()).isTrue();
    Tool cancelled =
        Tool.dynamic("one")
            .handler(arguments -> {
              throw new CancellationException("given up");
            });
    PlayedCall call = call(cancelled);
    call.says("i1", "Go.");
    String asks = call.created();
    call.calls(asks, "call_1", "one", "{}");
    call.done(asks);
    call.until(() -> call.responses.size() == 2);

    assertThat(Vectors.expect("C253").path("function_call_output_sent_with").stringValue())
        .contains("error output");
    JsonNode output =
        Json.text(outputs(call).getFirst().substring("output call_1 ".length())).tree();
    assertThat(output.path("error").stringValue()).isNotBlank();
    assertThat(outputs(call)).hasSize(1);
  }

  @Test
  void c254WithoutASessionTheCarrierEndsTheCall() {
    PlayedCall call = new PlayedCall(agent("You sell."), USUAL);
    call.session.ring();
    call.drain();
    call.carrier(new CarrierEvent.Connected(call.line()));
    call.engine(new EngineEvent.Lost(true, "timeout", "did not set up a session"));

    assertThat(Vectors.expect("C254").path("carrier_leg_hung_up").booleanValue()).isTrue();
    call.until(
        () -> call.toCarrier().equals(List.of("rest say " + USUAL.words().of(Phrase.FAILED))));
    assertThat(call.notes).anyMatch(note -> note.startsWith("failed") && note.contains("timeout"));
  }

  @Test
  void c256AnErrorIsNotedAndTheCallGoesOn() {
    String code = Vectors.given("C256").at("/in/error/code").stringValue();
    PlayedCall call = call(gated("one"));
    call.engine(new EngineEvent.Refused(null, code, "of another message"));

    assertThat(Vectors.expect("C256").path("logged").booleanValue()).isTrue();
    assertThat(call.notes).anyMatch(note -> note.startsWith("error") && note.contains(code));
    assertThat(Vectors.expect("C256").path("session_survives").booleanValue()).isTrue();
    call.says("i1", "Hello?");
    call.speaks("Hello.", 200);
    assertThat(call.toCarrier()).isEmpty();
  }

  // -- twilio-ws

  /// The message's type is that of the current interface; a mark has the generation's name.
  @Test
  void c232AudioPassesUndecodedAndAMarkFollows() {
    String payload = Vectors.given("C232").at("/openai_in/delta").stringValue();
    PlayedCall call = call();
    call.says("i1", "Hello?");
    String answer = call.created();
    byte[] audio = Base64.getDecoder().decode(payload);
    call.engine(new EngineEvent.Audio(answer, "item-1", 0, audio));
    call.done(answer);

    JsonNode out = Vectors.expect("C232").path("twilio_out");
    assertThat(call.played).singleElement().isEqualTo(audio);
    assertThat(payload).isEqualTo(out.at("/0/media/payload").stringValue());
    assertThat(call.wire.getLast()).isEqualTo(out.at("/1/event").stringValue() + " g1.1");
  }

  // -- variables

  /// A call whose carrier told these parameters.
  private PlayedCall arriving(String prompt, JsonNode parameters) {
    Map<String, String> all = new HashMap<>();
    parameters.propertyStream().forEach(one -> all.put(one.getKey(), one.getValue().stringValue()));
    return arriving(prompt, all);
  }

  private PlayedCall arriving(String prompt, Map<String, String> parameters) {
    Carrier.Arrival by = PlayedCall.ARRIVAL;
    Carrier.Arrival arrival =
        new Carrier.Arrival(by.id(), by.from(), by.to(), by.direction(), parameters);
    Agent agent = Agent.builder("Shop").prompt(prompt).store(new InProcessConversations()).build();
    return new PlayedCall(arrival, agent, USUAL, new ManualTime()).talking();
  }

  private static String told(PlayedCall call) {
    return call.setups.getFirst().instructions();
  }

  @Test
  void c260ControlCharactersOfParametersAreTakenOut() {
    JsonNode parameters = Vectors.given("C260").path("custom_params");

    assertThat(told(arriving("{n}", parameters)))
        .isEqualTo(Vectors.expect("C260").path("value").stringValue());
  }

  @Test
  void c261ALongParameterIsCut() {
    assertThat(Vectors.given("C261").at("/custom_params/n").stringValue()).isEqualTo("<1000 x>");

    assertThat(told(arriving("{n}", Map.of("n", "x".repeat(1000)))))
        .isEqualTo("x".repeat(Vectors.expect("C261").path("length").intValue()));
  }

  @Test
  void c262NamesThatMeanSomethingElsewhereAreNone() {
    JsonNode parameters = Vectors.given("C262").path("custom_params");
    List<String> kept =
        Vectors.expect("C262").path("keys").valueStream().map(JsonNode::stringValue).toList();

    parameters
        .propertyNames()
        .forEach(name -> {
          String placeholder = "{" + name + "}";
          String filled = told(arriving(placeholder, parameters));
          assertThat(filled)
              .isEqualTo(kept.contains(name) ? parameters.path(name).stringValue() : placeholder);
        });
  }

  @Test
  void c263ThePromptIsFilledInOnePass() {
    JsonNode given = Vectors.given("C263");

    assertThat(told(arriving(given.path("prompt").stringValue(), given.path("variables"))))
        .isEqualTo(Vectors.expect("C263").path("prompt").stringValue());
  }

  @Test
  void parametersDoNotStandInForWhatTheCarrierSigned() {
    Map<String, String> forged =
        Map.of(
            "caller", "x", "callee", "x", "call_id", "x", "direction", "x", "now", "x", "a.b", "y");

    assertThat(told(arriving("{caller} {callee} {call_id} {direction} {now} {a.b}", forged)))
        .isEqualTo("+14155550100 +15550001234 CA1 inbound 2026-01-01T12:00:00Z y");
  }

  @Test
  void aFirstMessageIsFilledToo() {
    Agent agent =
        Agent.builder("Shop").prompt("You sell.").firstMessage("Hi, {n}!").store(store).build();
    Carrier.Arrival by = PlayedCall.ARRIVAL;
    Carrier.Arrival arrival =
        new Carrier.Arrival(by.id(), by.from(), by.to(), by.direction(), Map.of("n", "Ann\n\"x\""));
    PlayedCall call = new PlayedCall(arrival, agent, USUAL, new ManualTime()).talking();

    assertThat(call.toEngine().getLast()).isEqualTo("create aside Hi, Ann\"x\"!");
  }

  // -- transcript

  @Test
  void c266AToolIsToldWhenItIsCalledAndWhenItHasAnswered() {
    assertThat(Vectors.given("C266").path("tool call in realtime").booleanValue()).isTrue();
    JsonNode called = Vectors.expect("C266").at("/entries/0");
    PlayedCall call = call(gated(called.path("tool_name").stringValue()));
    call.says("i1", "Go.");
    String asks = call.created();
    call.calls(asks, "call_1", "t", called.path("tool_args").toString());
    call.done(asks);
    call.until(() -> call.notes.stream().anyMatch(note -> note.startsWith("tool_call ")));
    JsonNode told = note(call, "tool_call");
    assertThat(told.path("tool")).isEqualTo(called.path("tool_name"));
    assertThat(told.path("arguments")).isEqualTo(called.path("tool_args"));
    assertThat(call.lines).contains(called.path("role").stringValue() + ": t");
    assertThat(call.notes).noneMatch(note -> note.startsWith("tool_result "));
    open("t");
    call.until(() -> call.responses.size() == 2);

    JsonNode answered = note(call, "tool_result");
    assertThat(answered.path("id")).isEqualTo(told.path("id"));
    assertThat(answered.path("result").stringValue()).isEqualTo("{\"of\":\"t\"}");
    call.carrier(new CarrierEvent.Disconnected());
    call.until(() -> !call.ended.isEmpty());
    assertThat(
            agent("You sell.")
                .conversation("CA1", ConversationOptions.NONE.withPrincipal("call:CA1"))
                .history())
        .anyMatch(message -> message instanceof Message.Result result && result.tool().equals("t"));
  }

  private static JsonNode note(PlayedCall call, String type) {
    return call.notes.stream()
        .filter(note -> note.startsWith(type + " "))
        .map(note -> Json.text(note.substring(type.length() + 1)).tree())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void c267NumbersAreMaskedInWhatIsKept() {
    assertThat(PhoneNumber.masked(Vectors.given("C267").path("phone").stringValue()))
        .isEqualTo(Vectors.expect("C267").path("text").stringValue());
    for (String shortOne : List.of("", "1", "4567")) {
      assertThat(PhoneNumber.masked(shortOne)).isEqualTo("***");
    }
  }
}
