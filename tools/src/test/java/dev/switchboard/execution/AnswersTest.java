package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ToolExecutor.BreakerState;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.rule.StopReason;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.StubWebhook;
import dev.switchboard.tool.BreakerOptions;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import dev.switchboard.webhook.GuardedHttp;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How an answer becomes a result, whoever gives it.
class AnswersTest {
  private static final String FOREIGN =
      """
      {"success": false, "code": 404, "error": {"message": "no such table"}, "data": [1],
       "callId": "theirs", "text": "theirs", "truncated": true, "trace_id": "abc"}\
      """;

  record Booking(boolean success, @Nullable String error, String reasonCode) {}

  private static ToolResult answered(@Nullable Object answer) {
    ToolExecutor executor = ToolExecutor.of(Tool.dynamic("check").handler(any -> answer));
    return executor.execute(ToolCall.of("c1", "check", "{}"));
  }

  private static ToolResult answeredByWebhook(String body) {
    try (StubWebhook server = StubWebhook.start()) {
      server.answer(200, body);
      Tool tool =
          Tool.dynamic("check")
              .network(GuardedHttp.allowing(server.hostAndPort()))
              .webhook(URI.create(server.url("/check")));
      return ToolExecutor.of(tool).execute(ToolCall.of("c1", "check", "{}"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"success\":false,\"needsFollowup\":true,\"error\":\"no\",\"trace_id\":\"abc\"}",
        "{\"trace_id\":\"abc\",\"error\":\"no\",\"needsFollowup\":true,\"success\":false}",
        "{\"succ\\u0065ss\":false,\"needsFollowup\":true,\"error\":\"no\",\"trace_id\":\"abc\"}",
      })
  void acceptsAnyObjectWithSuccessAsResult(String json) {
    for (ToolResult result : List.of(answered(Json.text(json)), answeredByWebhook(json))) {
      assertThat(result.success()).isFalse();
      assertThat(result.error()).isEqualTo("no");
      assertThat(result.isTerminal()).isFalse();
      assertThat(result.more()).containsExactly(Map.entry("trace_id", Json.text("\"abc\"")));
      assertThat(result.text()).isEqualTo(json);
      assertThat(result.callId()).isEqualTo("c1");
    }
  }

  @Test
  void endsTheLoopAtAFailureThatSaysNothingElse() {
    ToolResult result = answered(Map.of("success", false, "trace_id", "abc"));

    assertThat(result.isTerminal()).isTrue();
    assertThat(result.error()).isEqualTo("the tool reported a failure");
    assertThat(result.text())
        .isEqualTo(
            "{\"success\":false,\"error\":\"the tool reported a failure\",\"trace_id\":\"abc\"}");
  }

  @Test
  void letsAServicesOwnWordsStandInTheTextAlone() {
    for (ToolResult result : List.of(answered(Json.text(FOREIGN)), answeredByWebhook(FOREIGN))) {
      assertThat(result.success()).isFalse();
      assertThat(result.needsFollowup()).isTrue();
      assertThat(result.text()).isEqualTo(FOREIGN);
      assertThat(result.error()).isEqualTo("the tool reported a failure");
      assertThat(result.code()).isNull();
      assertThat(result.data()).isNull();
      assertThat(result.truncated()).isNull();
      assertThat(result.callId()).isEqualTo("c1");
      assertThat(result.more()).containsOnlyKeys("trace_id");
      assertThat(ToolResult.read(result.json())).isEqualTo(result);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"terminal\":true", "\"needsFollowup\":false"})
  void holdsAServiceToWhatItSaysOfTheLoop(String said) {
    ToolResult result =
        answered(Json.text("{\"success\":false,\"code\":\"E42\",\"message\":\"no\"," + said + "}"));

    assertThat(result.isTerminal()).isTrue();
    assertThat(result.error()).isEqualTo("no");
    assertThat(result.text()).contains("\"code\":\"E42\"");
  }

  @Test
  void ignoresALoopFlagOfTheWrongType() {
    ToolResult result = answered(Json.text("{\"success\":false,\"terminal\":\"yes\"}"));

    assertThat(result.terminal()).isNull();
    assertThat(result.needsFollowup()).isTrue();
  }

  @Test
  void takesForeignWordsOfASuccessForWhatTheModelReads() {
    String json = "{\"success\":true,\"text\":\"theirs\",\"fallback\":true,\"message\":\"Done.\"}";
    ToolResult result = answered(Json.text(json));

    assertThat(result.text()).isEqualTo(json);
    assertThat(result.fallback()).isNull();
    assertThat(result.needsFollowup()).isNull();
    assertThat(result.message()).isEqualTo("Done.");
  }

  private static List<Object> longFailures() {
    String words = "y".repeat(1000);
    return List.of(
        Json.text("{\"success\":false,\"error\":\"" + words + "\"}"),
        Json.text("{\"success\":false,\"code\":\"E\",\"error\":\"" + words + "\"}"),
        Map.of("success", false, "error", "\"".repeat(1000)),
        ToolResult.error("\u0001".repeat(1000)),
        ToolResult.error("\uD83D\uDE00".repeat(500)));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 13, 14, 26, 27, 30, 100, 500, 1001})
  void cutsAFailureInsideItsError(int limit) {
    for (Object answer : longFailures()) {
      Tool tool = Tool.dynamic("check").resultLimit(limit).handler(any -> answer);
      ToolResult result = ToolExecutor.of(tool).execute(ToolCall.of("c1", "check", "{}"));

      Json text = Json.text(String.valueOf(result.text()));
      assertThat(text.tree().path("error").stringValue()).isNotEmpty();
      assertThat(text.text()).hasSizeLessThanOrEqualTo(Math.max(limit, 13));
      assertThat(result.truncated()).isTrue();
    }
  }

  @Test
  void aCutFailureStillSaysThatARetryWillNotHelp() {
    ToolResult down = ToolResult.builder(false).error("y".repeat(1000)).fallback(true).build();
    Tool tool = Tool.dynamic("check").resultLimit(200).handler(any -> down);

    assertThat(ToolExecutor.of(tool).execute(ToolCall.of("c1", "check", "{}")).text())
        .hasSize(200)
        .startsWith("{\"success\":false,\"error\":\"yyy")
        .endsWith("[cut here, of 1000 characters]\",\"fallback\":true}");
  }

  @Test
  void takesNullForAbsent() {
    String json = "{\"success\":false,\"terminal\":null,\"error\":\"no\",\"code\":null,\"x\":null}";
    ToolResult result = answered(Json.text(json));

    assertThat(result.isTerminal()).isTrue();
    assertThat(result.text()).isEqualTo(json);
    assertThat(result.more()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"success\":1}",
        "{\"success\":\"false\"}",
        "{\"success\":null}",
        "{\"success\":{}}",
        "{\"Success\":false}",
        "{\"result\":{\"success\":false}}",
        "[{\"success\":false}]"
      })
  void takesAnyOtherAnswerForASuccess(String json) {
    ToolResult result = answered(Json.text(json));

    assertThat(result.success()).isTrue();
    assertThat(result.text()).isEqualTo(json);
    assertThat(result.data()).isEqualTo(json.startsWith("{") ? Json.text(json) : null);
  }

  @Test
  void readsARecordAMapAndAStageAlike() {
    Booking full = new Booking(false, "full", "E42");
    Map<String, Object> map = Map.of("success", false, "error", "full", "reasonCode", "E42");
    for (Object answer : List.of(full, map, CompletableFuture.completedFuture(full))) {
      ToolResult result = answered(answer);
      assertThat(result.success()).isFalse();
      assertThat(result.error()).isEqualTo("full");
      assertThat(result.more()).containsEntry("reasonCode", Json.text("\"E42\""));
    }
    assertThat(answered("{\"success\":false}").success()).isTrue();
    assertThat(answered(null).text()).isEqualTo("null");
  }

  @Test
  void takesAResultMadeInJavaWhole() {
    ToolResult own =
        ToolResult.builder(false)
            .error("busy")
            .code(ResultCode.CIRCUIT_OPEN)
            .circuitOpen(Duration.ofSeconds(3))
            .data(Json.text("{\"success\":true}"))
            .text("Busy.")
            .more(Map.of("trace", Json.text("1")))
            .build();

    assertThat(answered(own)).isEqualTo(own.toBuilder().callId("c1").build());
  }

  @Test
  void leavesAWayToSayThatAnAnswerIsNotAResult() {
    ToolResult result = answered(ToolResult.ok(Json.text("{\"success\":false}")));

    assertThat(result.success()).isTrue();
    assertThat(result.text()).isEqualTo("{\"success\":false}");
    assertThat(result.data()).isEqualTo(Json.text("{\"success\":false}"));
  }

  @Test
  void holdsForRulesAndLoopAndLeavesTheBreakerClosed() {
    Tool check =
        Tool.dynamic("check")
            .breaker(new BreakerOptions(1, Duration.ofSeconds(30)))
            .handler(any -> Map.of("success", false, "needsFollowup", true, "reason_code", "E42"));
    ToolExecutor executor =
        ToolExecutor.builder()
            .tools(check, Tool.dynamic("pay").handler(any -> "PAID"))
            .rules(ToolRule.after("pay", "check"), ToolRule.exitAfter("check"))
            .build();
    ToolSession session = ToolSession.of("c");

    assertThat(executor.execute(ToolCall.of("check", "{}"), session).success()).isFalse();
    assertThat(session.state().exit()).isNull();
    assertThat(executor.execute(ToolCall.of("pay", "{}"), session).violation())
        .isEqualTo("PREREQUISITES_NOT_MET");
    assertThat(executor.breaker("check").consecutiveFailures()).isZero();
    assertThat(executor.breaker("check").position()).isEqualTo(BreakerState.Position.CLOSED);
  }

  @Test
  void endsTheTurnWhereAnAnswerSaysSo() {
    ToolExecutor executor =
        ToolExecutor.of(
            Tool.dynamic("end")
                .handler(any -> Map.of("success", true, "terminal", true, "trace_id", "abc")));
    ToolSession session = ToolSession.of("c");
    ToolResult unused = executor.execute(ToolCall.of("end", "{}"), session);

    assertThat(session.state().exit()).isEqualTo(StopReason.TERMINAL_RESULT);
  }

  @Test
  void failsOnceWhatCannotBeReadAsJson() {
    Map<String, Object> deep = new HashMap<>();
    for (int i = 0; i < 300; i++) {
      deep = new HashMap<>(Map.of("a", deep));
    }
    deep.put("success", false);
    String twice = "{\"success\":true,\"success\":false}";
    for (Object answer : List.of(deep, Json.text(twice), Map.of("a", deep), List.of(deep))) {
      ToolResult result = answered(answer);
      assertThat(result.success()).isFalse();
      assertThat(result.code()).isEqualTo(ResultCode.FAILED);
      assertThat(result.json().tree().isObject()).isTrue();
    }
    assertThat(answeredByWebhook(twice).code()).isEqualTo(ResultCode.FAILED);
  }

  @Test
  void readsAFailureWithHalfACharacterInIt() {
    ToolResult result = answered(Map.of("success", false, "error", "no \ud83d here"));

    assertThat(result.success()).isFalse();
    assertThat(result.error()).isEqualTo("no \ufffd here");
    assertThat(result.json().tree().isObject()).isTrue();
  }

  @Test
  void cutsTheTextOfAHugeAnswer() {
    String rows = "x".repeat(900_000);
    String json = "{\"success\":false,\"code\":1,\"rows\":\"" + rows + "\"}";
    for (ToolResult result : List.of(answered(Json.text(json)), answeredByWebhook(json))) {
      assertThat(result.success()).isFalse();
      assertThat(result.needsFollowup()).isTrue();
      assertThat(result.truncated()).isTrue();
      assertThat(result.text()).hasSizeBetween(63_000, 64_000);
      assertThat(Json.text(String.valueOf(result.text())).tree().path("error").stringValue())
          .startsWith("the tool reported a failure: " + json.substring(0, 99));
    }
  }
}
