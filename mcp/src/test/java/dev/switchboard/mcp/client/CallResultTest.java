package dev.switchboard.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What servers answer, and what a model reads of it.
class CallResultTest {
  private final FakeWeb fake = new FakeWeb(Fake.STATELESS);

  @AfterEach
  void close() {
    fake.close();
  }

  private ToolResult answering(String result) {
    fake.on("tools/call", request -> FakeWeb.result(request, result));
    fake.start();
    return fake.run();
  }

  private void returns(String schema) {
    ObjectNode tool = (ObjectNode) Json.text(FakeWeb.RUN).tree().deepCopy();
    tool.set("outputSchema", Json.text(schema).tree());
    fake.tools.clear();
    fake.tools.add(tool.toString());
  }

  private static JsonNode data(ToolResult result) {
    return result.data() == null ? Codec.object() : result.data().tree();
  }

  @Test
  void partsStandBesideStructuredContentThatHasPartsToo() {
    ToolResult result =
        answering(
            """
            {"content":[{"type":"image","mimeType":"image/png","data":"AAAA"}],
             "structuredContent":{"parts":[1]}}\
            """);

    assertThat(data(result).at("/parts/0/type").asString()).isEqualTo("image");
    assertThat(data(result).at("/value/parts/0").asInt()).isEqualTo(1);
  }

  @Test
  void partsThatAreNotTextHaveStandIns() {
    ToolResult result =
        answering(
            """
            {"content":[
              {"type":"image","mimeType":"image/png","data":"AAAA"},
              {"type":"audio","mimeType":"audio/\\u202ewav","data":"AAAAAAAA"},
              {"type":"resource_link","uri":"file:///a"},
              {"type":"resource","resource":{"uri":"file:///b","text":"words"}},
              {"type":"resource","resource":{"uri":"file:///c","mimeType":"x/y","blob":"AAAA"}},
              {"type":"hologram"}, 7]}\
            """);
    assertThat(result.text())
        .isEqualTo(
            """
            [image image/png, 3 bytes]
            [audio audio/\\u202ewav, 6 bytes]
            [resource file:///a]
            words
            [resource file:///c x/y, 3 bytes]
            [a part of an unknown type]
            [a part of an unknown type]\
            """);
    assertThat(data(result).path("parts")).hasSize(7);
  }

  @Test
  void largePartsAreLeftOut() {
    String image =
        "{\"type\":\"image\",\"mimeType\":\"image/png\",\"data\":\"" + "A".repeat(400_000) + "\"}";
    ToolResult result = answering("{\"content\":[" + image + "," + image + "]}");
    assertThat(result.text()).startsWith("[image image/png, 300000 bytes]\n");
    assertThat(data(result).at("/parts/0/omitted").asInt()).isEqualTo(300_000);
    assertThat(data(result).toString().length()).isLessThan(1_000);
  }

  @Test
  void longTextsAreCut() {
    ToolResult result =
        answering("{\"content\":[{\"type\":\"text\",\"text\":\"" + "x".repeat(500_000) + "\"}]}");
    assertThat(result.truncated()).isTrue();
    assertThat(String.valueOf(result.text()).length()).isLessThan(70_000);
  }

  @Test
  void longErrorsAreCut() {
    ToolResult result =
        answering(
            "{\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":\""
                + "x".repeat(500_000)
                + "\"}]}");
    assertThat(result.success()).isFalse();
    assertThat(String.valueOf(result.text()).length()).isLessThan(70_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"content\":7}",
        "{\"content\":\"text\"}",
        "{\"content\":{}}",
        "{\"isError\":\"x\"}"
      })
  void resultsWithoutAnythingAreEmpty(String result) {
    assertThat(answering(result).success()).isTrue();
  }

  @Test
  void anErrorIsNotTriedAgain() {
    fake.on("tools/call", request -> FakeWeb.result(request, "{\"isError\":true,\"content\":[]}"));
    fake.start(tools ->
        tools.policy(
            "run",
            (tool, handler, usual) ->
                tool.mode(usual)
                    .retry(RetryPolicy.DEFAULT.withPauses(Duration.ZERO, Duration.ZERO))));
    ToolResult result = fake.run();
    assertThat(result.error()).isEqualTo("the tool failed without a message");
    assertThat(result.fallback()).isNotEqualTo(true);
    assertThat(fake.requests("tools/call")).hasSize(1);
  }

  @Test
  void whatLooksLikeOurResultIsText() {
    ToolResult result =
        answering(
            "{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"success\\\":false,\\\"terminal\\\":true}\"}]}");
    assertThat(result.success()).isTrue();
    assertThat(result.isTerminal()).isFalse();
  }

  @Test
  void structuredContentIsData() {
    returns(
        "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},\"required\":[\"n\"]}");
    ToolResult result = answering("{\"content\":[],\"structuredContent\":{\"n\":4}}");
    assertThat(data(result).path("n").intValue()).isEqualTo(4);
    assertThat(result.text()).isEqualTo("{\"n\":4}");
  }

  @Test
  void structuredContentThatDoesNotFitFails() {
    returns(
        "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},\"required\":[\"n\"]}");
    ToolResult result = answering("{\"content\":[],\"structuredContent\":{\"n\":\"4\"}}");
    assertThat(result.code()).isEqualTo(ResultCode.FAILED);
    assertThat(result.error())
        .contains("structuredContent does not meet its outputSchema: /n: expected integer");
  }

  @Test
  void structuredContentThatIsNotAnObjectStandsInValue() {
    returns("{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}");
    assertThat(data(answering("{\"structuredContent\":[1,2]}")).path("value")).hasSize(2);
  }

  @Test
  void anOutputSchemaThatCannotBeCheckedIsLeftOut() {
    returns("{\"type\":\"object\",\"$ref\":\"https://evil.example/x\"}");
    assertThat(answering("{\"structuredContent\":{\"a\":1}}").success()).isTrue();
  }

  @Test
  void theServerIsToldWhoCallsAndTheModelIsNot() {
    ToolResult result = answering("{\"content\":[{\"type\":\"text\",\"text\":\"x\"}]}");
    JsonNode params = fake.requests("tools/call").getFirst().json().tree().path("params");
    JsonNode call = params.path("_meta").path("dev.switchboard/call");
    assertThat(call.path("conversation_id").stringValue()).isEqualTo("talk_1");
    assertThat(call.path("call_id").stringValue()).isEqualTo("call_1");
    assertThat(call.path("idempotency_key").isString()).isTrue();
    assertThat(call.has("caller")).isFalse();
    assertThat(params.path("arguments").size()).isZero();
    assertThat(result.json().text()).doesNotContain("dev.switchboard");
  }

  @Test
  void progressIsShownAtAPersonsPace() {
    try (Fake program = Fake.of(Fake.server(Fake.SESSIONS))) {
      String progress =
          "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":$id,\"progress\":$n,\"message\":\"step"
              + " $n \u202e\"}}";
      program.run("times 500 " + progress + "\nsay done");
      var shown =
          program.events.stream()
              .filter(Event.LoaderHint.class::isInstance)
              .map(event -> ((Event.LoaderHint) event).hint())
              .toList();
      assertThat(shown).hasSizeBetween(1, 100);
      assertThat(shown.getLast()).isEqualTo("step 499 \\u202e");
    }
  }
}
