package dev.switchboard.phone.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.harness.Vectors;
import dev.switchboard.json.Json;
import dev.switchboard.phone.call.CallSettings.Transfer;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Area `system-tools` on a live line, by the ids of the cases. What the carrier is sent for it is
/// the matter of `CallOrdersTest`.
class SystemToolVectorsTest {
  private static final CallSettings USUAL = PlayedCall.SETTINGS;

  private static PlayedCall call(CallSettings settings, String... tools) {
    Agent agent =
        Agent.builder("Shop")
            .prompt("You sell.")
            .store(new InProcessConversations())
            .tools(
                List.of(tools).stream()
                    .map(name -> Tool.dynamic(name).handler(arguments -> "found"))
                    .toArray(Tool[]::new))
            .build();
    return new PlayedCall(agent, settings).talking();
  }

  private static CallSettings with(Transfer transfer) {
    return USUAL.with(transfer);
  }

  private static CallSettings with(String... systemTools) {
    return USUAL.change().systemTools(List.of(systemTools)).build();
  }

  private static List<String> names(PlayedCall call) {
    return call.setups.getFirst().tools().stream().map(ToolDefinition::name).toList();
  }

  private static JsonNode parameters(PlayedCall call, String tool) {
    return call.setups.getFirst().tools().stream()
        .filter(one -> one.name().equals(tool))
        .findFirst()
        .orElseThrow()
        .parameters()
        .tree();
  }

  /// The caller says something, and the model takes its leave with words that the caller hears.
  private static void asks(PlayedCall call, String tool, String arguments) {
    call.says("i-" + call.responses.size(), "Please.");
    String asks = call.created();
    call.engine(new EngineEvent.Spoken(asks, "item-" + asks, "One moment."));
    call.audio(asks, 300);
    call.calls(asks, "call_1", tool, arguments);
    call.done(asks);
    call.hearsAll();
  }

  /// The output of the call, once it is there.
  private static JsonNode output(PlayedCall call) {
    call.until(() -> call.toEngine().stream().anyMatch(one -> one.startsWith("output call_1 ")));
    List<String> outputs =
        call.toEngine().stream().filter(one -> one.startsWith("output call_1 ")).toList();
    assertThat(outputs).hasSize(1);
    return Json.text(outputs.getFirst().substring("output call_1 ".length())).tree();
  }

  private static List<String> rest(PlayedCall call) {
    return call.toCarrier().stream().filter(one -> one.startsWith("rest")).toList();
  }

  /// The call goes on: the model is asked for an answer to the output.
  private static void goesOn(PlayedCall call) {
    call.until(() -> call.toEngine().getLast().equals("create answer AUTO"));
    assertThat(rest(call)).isEmpty();
    assertThat(call.ended).isEmpty();
    call.speaks("Sorry.", 100);
    call.says("later", "Never mind.");
    call.until(() -> call.toEngine().getLast().equals("create answer AUTO"));
  }

  private static void contains(JsonNode output, JsonNode expected) {
    expected
        .propertyStream()
        .forEach(member ->
            assertThat(output.path(member.getKey()))
                .as(member.getKey())
                .isEqualTo(member.getValue()));
  }

  private static List<String> strings(JsonNode list) {
    return list.valueStream().map(JsonNode::stringValue).toList();
  }

  // -- what is offered

  @ParameterizedTest
  @ValueSource(strings = {"C184", "C185"})
  void theHostsToolsFollowTheAgents(String id) {
    PlayedCall call =
        call(USUAL, strings(Vectors.given(id).path("agent tools")).toArray(String[]::new));

    assertThat(names(call)).isEqualTo(strings(Vectors.expect(id).path("tool_names")));
  }

  @Test
  void thoseThatAreLeftOutAreNotOffered() {
    assertThat(names(call(with("end_call")))).containsExactly("end_call");
    assertThat(names(call(with("transfer_call"), "lookup")))
        .containsExactly("lookup", "transfer_call");
    assertThat(names(call(with(new String[0])))).isEmpty();
  }

  @Test
  void c186TransferCallTakesANumber() {
    assertThat(parameters(call(USUAL), "transfer_call"))
        .isEqualTo(Vectors.expect("C186").path("parameters"));
  }

  @Test
  void transferCallSaysWhichNumbersItTakes() {
    Transfer named = new Transfer(Map.of("support", "+15550001111"), null, false);

    assertThat(description(call(USUAL))).contains("E.164");
    assertThat(description(call(with(named)))).doesNotContain("E.164");
  }

  private static String description(PlayedCall call) {
    return call.setups.getFirst().tools().stream()
        .filter(one -> one.name().equals("transfer_call"))
        .findFirst()
        .orElseThrow()
        .description();
  }

  @Test
  void namedDestinationsTakeTheNumbersPlace() {
    Map<String, String> to = Map.of("support", "+15550001111", "billing", "+15550002222");

    assertThat(parameters(call(with(new Transfer(to, null, false))), "transfer_call"))
        .isEqualTo(
            Json.text(
                    """
                    {"type":"object","properties":{"destination":
                    {"type":"string","enum":["billing","support"]}},"required":["destination"]}
                    """)
                .tree());
    assertThat(
            parameters(call(with(new Transfer(to, List.of("+44"), true))), "transfer_call")
                .path("properties")
                .propertyNames())
        .containsExactly("destination", "number");
  }

  @Test
  void c187EndCallNeedsNoReason() {
    JsonNode parameters = parameters(call(USUAL), "end_call");

    assertThat(parameters.path("properties").propertyNames())
        .containsExactlyElementsOf(strings(Vectors.expect("C187").path("properties")));
    assertThat(Vectors.expect("C187").path("required").stringValue()).isEqualTo("absent or empty");
    assertThat(parameters.path("required").isEmpty()).isTrue();
  }

  // -- transfer_call

  @Test
  void c189ATransferIsToldToTheModelAndStandsInTheTranscript() {
    String[] words = Vectors.given("C189").path("call").stringValue().split(" ", 2);
    JsonNode line = Vectors.expect("C189").path("transcript");
    PlayedCall call = call(USUAL);
    asks(call, words[0], words[1]);

    assertThat(output(call)).isEqualTo(Vectors.expect("C189").path("function_result"));
    assertThat(rest(call)).containsExactly("rest transfer +15559876543");
    assertThat(call.lines)
        .contains(line.path("role").stringValue() + ": " + line.path("text").stringValue());
  }

  @ParameterizedTest
  @ValueSource(strings = {"C191", "C197", "C198"})
  void whatIsNotANumberReachesNoCarrier(String id) {
    PlayedCall call = call(USUAL);
    asks(call, "transfer_call", Vectors.given(id).path("call").toString());

    assertThat(Vectors.expect(id).path("rest_calls").intValue()).isZero();
    assertThat(Vectors.expect(id).path("call_continues").booleanValue()).isTrue();
    contains(output(call), Vectors.expect(id).path("function_result"));
    goesOn(call);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "15559876543",
        "+123456",
        "+1234567890123456",
        "+",
        "++15559876543",
        "+1-555-987-6543",
        "+1 (555) 9876543",
        " +15559876543",
        "+15559876543 ",
        "+15559876543\\n",
        "+15559876543\\u0000",
        "+1555987654\\u0665",
        "\\uff0b15559876543",
        "tel:+15559876543",
        "sip:boss@example.com",
        "+15559876543,+15550001111",
        "+15559876543</Number><Number>+15550001111",
        "null",
        "undefined",
        "911",
        "support"
      })
  void norDoOthersThatAreNone(String number) {
    PlayedCall call = call(USUAL);
    asks(call, "transfer_call", "{\"number\":\"" + number + "\"}");

    contains(output(call), Vectors.expect("C191").path("function_result"));
    goesOn(call);
  }

  @ParameterizedTest
  @ValueSource(strings = {"C200", "C201"})
  void aNumberOfSevenDigitsAndMoreIsAskedFor(String id) {
    String number = Vectors.given(id).path("call").path("number").stringValue();
    PlayedCall call = call(USUAL);
    asks(call, "transfer_call", Vectors.given(id).path("call").toString());

    assertThat(output(call).path("status").stringValue()).isEqualTo("transferring");
    assertThat(rest(call))
        .hasSize(Vectors.expect(id).path("rest_calls").intValue())
        .containsExactly("rest transfer " + number);
  }

  @Test
  void c203ArgumentsThatAreNotJsonAreRejected() {
    String[] words = Vectors.given("C203").path("call").stringValue().split(" arguments ", 2);
    PlayedCall call = call(USUAL);
    asks(call, words[0], words[1].replace("'", ""));

    contains(output(call), Vectors.expect("C203").path("function_result"));
    assertThat(Vectors.expect("C203").path("session_survives").booleanValue()).isTrue();
    goesOn(call);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "null",
        "{}",
        "\"+15559876543\"",
        "{\"number\":null}",
        "{\"number\":15559876543}",
        "{\"number\":[\"+15559876543\"]}",
        "{\"number\":\"+15559876543\"}}",
        "{\"Number\":\"+15559876543\"}"
      })
  void norAreArgumentsOfAnotherForm(String arguments) {
    PlayedCall call = call(USUAL);
    asks(call, "transfer_call", arguments);

    JsonNode output = output(call);
    assertThat(output.path("status").stringValue()).isEqualTo("rejected");
    assertThat(output.path("success").booleanValue(true)).isFalse();
    assertThat(output.path("error").stringValue()).isNotBlank();
    goesOn(call);
  }

  @Test
  void c205ARefusalOfTheCarriersComesBackToTheModel() {
    PlayedCall call = call(USUAL);
    call.refusal = "Twilio refused the order (status 400).";
    asks(call, "transfer_call", "{\"number\":\"+15559876543\"}");

    assertThat(Vectors.given("C205").path("rest").stringValue()).isEqualTo("Twilio answers 400");
    assertThat(output(call).path(Vectors.expect("C205").path("function_result_has").stringValue()))
        .isEqualTo(Json.of(call.refusal).tree());
    call.until(() -> call.toEngine().getLast().equals("create answer AUTO"));
    assertThat(Vectors.expect("C205").path("call_continues").booleanValue()).isTrue();
    assertThat(call.ended).isEmpty();
    assertThat(call.lines.toString())
        .doesNotContain(Vectors.expect("C205").path("transcript_not").stringValue());
  }

  @Test
  void allowsAnotherTransferOnlyAfterRefusal() {
    PlayedCall call = call(USUAL);
    call.refusal = "No.";
    asks(call, "transfer_call", "{\"number\":\"+15559876543\"}");
    JsonNode unused = output(call);
    call.until(() -> call.toEngine().getLast().equals("create answer AUTO"));
    call.refusal = null;
    String again = call.created();
    call.audio(again, 100);
    call.calls(again, "call_2", "transfer_call", "{\"number\":\"+15559876543\"}");
    call.calls(again, "call_3", "transfer_call", "{\"number\":\"+15550001111\"}");
    call.done(again);
    call.hearsAll();
    call.until(() -> call.toEngine().stream().anyMatch(one -> one.startsWith("output call_3 ")));

    assertThat(rest(call))
        .containsExactly("rest transfer +15559876543", "rest transfer +15559876543");
    assertThat(call.toEngine().stream().filter(one -> one.startsWith("output call_2 ")))
        .singleElement()
        .asString()
        .contains("transferring");
  }

  @Test
  void c206ATransferredCallIsNeverHungUp() {
    assertThat(Vectors.given("C206").path("transfer ok").booleanValue()).isTrue();
    PlayedCall call = call(USUAL);
    asks(call, "transfer_call", "{\"number\":\"+15559876543\"}");
    call.until(() -> !rest(call).isEmpty());
    JsonNode unused = output(call);
    call.carrier(new CarrierEvent.Disconnected());
    call.advance(Duration.ofHours(1));
    call.until(() -> true);
    call.carrier(new CarrierEvent.Status("completed"));
    call.until(() -> !call.ended.isEmpty());

    assertThat(Vectors.expect("C206").path("rest_status_completed_posted").booleanValue(true))
        .isFalse();
    assertThat(rest(call)).containsExactly("rest transfer +15559876543");
    assertThat(call.ended).containsExactly("transferred");
  }

  @Test
  void c213ANumberMustBeginAsThePolicyAllows() {
    Transfer policy =
        new Transfer(
            Map.of(), strings(Vectors.given("C213").path("transfer_allowed_prefixes")), true);
    PlayedCall call = call(with(policy));
    asks(call, "transfer_call", "{\"number\":\"+442071234567\"}");
    assertThat(output(call).path("status").stringValue()).isEqualTo("transferring");
    assertThat(rest(call)).hasSize(Vectors.expect("C213").path("rest_calls").intValue());

    for (String other : List.of("+14165550100", "+15559876543", "+43123456789")) {
      PlayedCall refused = call(with(policy));
      asks(refused, "transfer_call", "{\"number\":\"" + other + "\"}");
      JsonNode output = output(refused);
      assertThat(output.path("status").stringValue()).isEqualTo("rejected");
      assertThat(output.path("error").stringValue())
          .isEqualTo("Transfer destination not allowed by policy");
      goesOn(refused);
    }
  }

  @Test
  void anEmptyPolicyAllowsNoneAndNoneTheOwnCountry() {
    PlayedCall none = call(with(new Transfer(Map.of(), List.of(), true)));
    asks(none, "transfer_call", "{\"number\":\"+15559876543\"}");
    assertThat(output(none).path("status").stringValue()).isEqualTo("rejected");
    goesOn(none);

    PlayedCall abroad = call(USUAL);
    asks(abroad, "transfer_call", "{\"number\":\"+442071234567\"}");
    assertThat(output(abroad).path("error").stringValue())
        .isEqualTo("Transfer destination not allowed by policy");
    goesOn(abroad);
  }

  // -- end_call

  @Test
  void c210TheCallIsEndedWhenTheLastChunkWasPlayed() {
    assertThat(Vectors.expect("C210").path("hangup_after").stringValue())
        .contains("playback mark of the last chunk");
    PlayedCall call = call(USUAL);
    call.says("i1", "Bye");
    String asks = call.created();
    call.engine(new EngineEvent.Spoken(asks, "item-" + asks, "Goodbye!"));
    call.audio(asks, 700);
    call.calls(asks, "call_1", "end_call", "{}");
    call.done(asks);
    for (String mark : List.of("g1.1", "g1.2", "g1.3")) {
      call.carrier(new CarrierEvent.Played(mark));
      call.until(() -> true);
      assertThat(rest(call)).isEmpty();
    }
    call.carrier(new CarrierEvent.Played("g1.4"));
    call.until(() -> rest(call).equals(List.of("rest hang up")));
  }

  /// The wait is of 8 seconds by the contract.
  @Test
  void c210OrAfterABoundedWait() {
    PlayedCall call = call(USUAL);
    call.says("i1", "Bye");
    String asks = call.created();
    call.calls(asks, "call_1", "end_call", "{}");
    call.done(asks);
    call.until(() -> call.responses.size() == 2);
    String farewell = call.created();
    call.audio(farewell, 700);
    call.advance(Duration.ofSeconds(5));
    call.done(farewell);
    call.advance(Duration.ofMillis(7_999));
    call.until(() -> true);
    assertThat(rest(call)).isEmpty();
    call.advance(Duration.ofMillis(1));
    call.until(() -> rest(call).equals(List.of("rest hang up")));
  }

  @Test
  void c211TheCallIsNotEndedBeforeTheCallerIsThere() {
    PlayedCall call = call(USUAL);
    call.advance(Duration.ofMillis(5_999));
    CompletableFuture<ToolResult> early = endCall(call);

    contains(
        Json.text(String.valueOf(early.join().text())).tree(),
        Vectors.expect("C211").path("function_result"));
    assertThat(rest(call)).hasSize(Vectors.expect("C211").path("rest_calls").intValue());
    call.advance(Duration.ofMillis(1));
    assertThat(endCall(call)).isNotDone();
  }

  @Test
  void aCallerWhoHasSpokenIsThere() {
    PlayedCall call = call(USUAL);
    asks(call, "end_call", "{}");

    call.until(() -> rest(call).equals(List.of("rest hang up")));
    assertThat(call.time.elapsed()).isLessThan(Duration.ofSeconds(6));
  }

  /// What comes of the tool, beside any response: nothing but the caller makes the model speak so
  /// early.
  private static CompletableFuture<ToolResult> endCall(PlayedCall call) {
    CompletableFuture<ToolResult> result = new CompletableFuture<>();
    call.session.exit.request(new TransferOrHangupRequest(null, "done", result));
    return result;
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"reason\":\"all done\"}", "{}", "{\"reason\":\"  \"}"})
  void theReasonOfTheEndStandsInTheTranscript(String arguments) {
    String reason = Json.text(arguments).tree().path("reason").asString("").strip();
    PlayedCall call = call(USUAL);
    asks(call, "end_call", arguments);
    String stated = reason.isEmpty() ? "conversation_complete" : reason;
    JsonNode output = output(call);
    assertThat(output.path("status").stringValue()).isEqualTo("ending");
    assertThat(output.path("reason").stringValue()).isEqualTo(stated);
    call.carrier(new CarrierEvent.Disconnected());
    call.until(() -> !call.ended.isEmpty());

    assertThat(call.lines).contains("system: Call ended: " + stated);
    assertThat(call.responses).hasSize(1);
  }
}
