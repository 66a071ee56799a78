package dev.switchboard.mcp.client;

import static dev.switchboard.mcp.client.FakeWeb.events;
import static dev.switchboard.mcp.client.FakeWeb.message;
import static dev.switchboard.mcp.client.FakeWeb.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.harness.Ports;
import dev.switchboard.mcp.McpTools;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.tool.BreakerOptions;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolResult;
import dev.switchboard.webhook.GuardedHttp;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A server on the network that does what no server should: each call has one result, and the next
/// one works.
@Tag("slow")
class FaultyWebServerTest {
  private static final String WELL = "{\"content\":[{\"type\":\"text\",\"text\":\"well\"}]}";

  private final FakeWeb stateless = new FakeWeb(Fake.STATELESS);
  private final FakeWeb sessions = new FakeWeb(Fake.SESSIONS);

  @AfterEach
  void close() {
    stateless.close();
    sessions.close();
  }

  static Stream<Arguments> answersThatFail() {
    return Stream.of(
        failing(500, "HTTP 500", request -> StubAnswer.of(500, "{\"oops\":1}")),
        failing(429, "HTTP 429", request -> StubAnswer.of(429, "").header("Retry-After", "1000")),
        failing(401, "HTTP 401", request -> StubAnswer.of(401, "")),
        failing(403, "HTTP 403", request -> StubAnswer.of(403, "")),
        failing(404, "HTTP 404", request -> StubAnswer.of(404, "")),
        failing(
            302,
            "HTTP 302",
            request -> StubAnswer.of(302, "").header("Location", "http://127.0.0.1:1/else")),
        failing(307, "HTTP 307", request -> StubAnswer.of(307, "").header("Location", "/mcp2")),
        failing(
            200,
            "not a message of MCP",
            request -> StubAnswer.of(200, "<html>").contentType("text/html")),
        failing(202, "not a message of MCP", request -> StubAnswer.of(202, "")),
        failing(200, "not one to this request", request -> StubAnswer.of(200, of("99", WELL))),
        failing(200, "not one to this request", request -> StubAnswer.of(200, of("\"1\"", WELL))),
        failing(200, "not a message of MCP", request -> StubAnswer.of(200, of("1.5", WELL))),
        failing(
            200,
            "not one to this request",
            request -> StubAnswer.of(200, "[" + of("99", WELL) + "]")),
        failing(200, "hung up without an answer", request -> events("")),
        failing(200, "hung up without an answer", request -> events("data: {}\n\ndata: [1\n\n")),
        failing(
            200,
            "it nests deeper than 200 levels",
            request -> events("data: " + message(request, deep(300)) + "\n\n")),
        failing(
            200,
            "not a message of MCP",
            request -> events("data: " + message(request, "[]") + "\n\n")),
        failing(200, "network error", request -> StubAnswer.reset()),
        failing(200, "network error", request -> StubAnswer.garbage()),
        failing(
            200,
            "network error",
            request -> StubAnswer.of(200, message(request, WELL)).contentLength(100_000)));
  }

  private static Arguments failing(
      int status, String words, Function<StubRequest, StubAnswer> answer) {
    return Arguments.of(status, words, answer);
  }

  private static String deep(int levels) {
    return "{\"a\":".repeat(levels) + 1 + "}".repeat(levels);
  }

  private static String of(String id, String result) {
    return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}".formatted(id, result);
  }

  @ParameterizedTest
  @MethodSource("answersThatFail")
  void fails(int status, String words, Function<StubRequest, StubAnswer> answer) {
    stateless.start();
    stateless.on("tools/call", answer);

    ToolResult result = stateless.run();

    assertThat(result.code()).isEqualTo(ResultCode.FAILED);
    assertThat(result.fallback()).isTrue();
    assertThat(result.error()).contains(words);
    assertThat(stateless.requests("tools/call")).hasSize(1);
    assertItGoesOn(stateless);
  }

  private static void assertItGoesOn(FakeWeb fake) {
    fake.on("tools/call", request -> text(request, "well"));
    assertThat(fake.run().text()).isEqualTo("well");
  }

  @Test
  void keepsToRetryAfterWhereCallsAreRepeated() {
    stateless.start(tools ->
        tools.policy(
            "run",
            (tool, handler, usual) ->
                tool.mode(usual)
                    .retry(
                        RetryPolicy.DEFAULT
                            .withMaxRetries(1)
                            .withPauses(Duration.ZERO, Duration.ZERO))));
    stateless.on(
        "tools/call",
        StubAnswer.of(429, "").header("Retry-After", "0"),
        StubAnswer.of(503, "").header("Retry-After", "1000"));
    assertThat(stateless.run().error()).contains("HTTP 503");
    assertThat(stateless.requests("tools/call")).hasSize(2);
    assertItGoesOn(stateless);
  }

  @Test
  void takesAnEventsAnswerAmongOthers() {
    stateless.start();
    stateless.on(
        "tools/call",
        request ->
            events(
                ": comment\n\ndata: [\n\ndata: "
                    + of("77", WELL)
                    + "\n\nid: 1\nevent: message\ndata: "
                    + message(request, WELL).replace("{\"type\"", "\ndata: {\"type\"")
                    + "\n\ndata: "
                    + message(request, "{}")
                    + "\n\n"));
    assertThat(stateless.run().text()).isEqualTo("well");
    assertItGoesOn(stateless);
  }

  @ParameterizedTest
  @ValueSource(strings = {"data: xxxxxxxxxxxxxxx", ": comment\n", "data: x\n", "id: 7\n"})
  void sendsAnEventWithoutEnd(String part) {
    stateless.start(tools -> tools.responseLimit(100_000));
    stateless.on(
        "tools/call", request -> StubAnswer.endless().body(part).contentType("text/event-stream"));
    assertThat(stateless.run().code()).isEqualTo(ResultCode.RESPONSE_TOO_LARGE);
    assertItGoesOn(stateless);
  }

  @Test
  void sendsABodyWithoutEnd() {
    stateless.start(tools -> tools.responseLimit(100_000));
    stateless.on("tools/call", request -> StubAnswer.endless());
    assertThat(stateless.run().code()).isEqualTo(ResultCode.RESPONSE_TOO_LARGE);
    assertItGoesOn(stateless);
  }

  static Stream<StubAnswer> answersThatTakeTooLong() {
    return Stream.of(
        StubAnswer.hang(),
        StubAnswer.of(200, of("1", WELL)).drip(Duration.ofMillis(40)),
        StubAnswer.endless().body("data: {}\n\n").contentType("text/event-stream"),
        StubAnswer.endless().body("\n").contentType("text/event-stream"));
  }

  @ParameterizedTest
  @MethodSource("answersThatTakeTooLong")
  void takesTooLong(StubAnswer answer) {
    for (FakeWeb fake : List.of(stateless, sessions)) {
      fake.start(tools ->
          tools.policy(
              "run",
              (tool, handler, usual) ->
                  tool.mode(usual).timeout(Duration.ofMillis(150)).breaker(BreakerOptions.OFF)));
      fake.on("tools/call", request -> answer);
      assertThat(fake.run().code()).isEqualTo(ResultCode.TIMEOUT);
      fake.answers.remove("tools/call");
      await().until(() -> "well".equals(fake.run().text()));
    }
    await().until(() -> !sessions.requests("notifications/cancelled").isEmpty());
    assertThat(stateless.requests("notifications/cancelled")).isEmpty();
  }

  @Test
  void forgetsItsSession() {
    sessions.start();
    assertThat(sessions.run().text()).isEqualTo("well");
    sessions.on(
        "tools/call",
        request ->
            "session-1".equals(request.header("Mcp-Session-Id"))
                ? StubAnswer.of(404, "")
                : text(request, "again"));

    assertThat(sessions.run().text()).isEqualTo("again");
    assertThat(sessions.requests("initialize")).hasSize(2);
    assertThat(sessions.requests("tools/call")).hasSize(3);
    assertThat(sessions.requests("tools/call").getLast().header("Mcp-Session-Id"))
        .isEqualTo("session-2");
  }

  @Test
  void forgetsEverySession() {
    sessions.start();
    sessions.on("tools/call", StubAnswer.of(404, ""));
    ToolResult result = sessions.run();
    assertThat(result.error()).contains("the server has forgotten the session");
    assertThat(sessions.requests("tools/call")).hasSize(2);
  }

  @Test
  void endsItsStreamWithAnIdThatCannotBeSent() {
    sessions.start();
    sessions.on("GET", request -> answersTheLastCall());
    sessions.on("tools/call", request -> events("id: a\u0001ü\nretry: 1\ndata: {}\n\n"));
    assertThat(sessions.run().text()).isEqualTo("well");
    assertThat(sessions.requests("GET").getLast().header("Last-Event-ID")).isNull();
  }

  @Test
  void isTakenUpAgainWhereItsStreamEndedEarly() {
    sessions.start();
    sessions.on("GET", request -> answersTheLastCall());
    sessions.on("tools/call", request -> events("id: 8\nretry: 1\ndata: {}\n\n"));
    assertThat(sessions.run().text()).isEqualTo("well");
    assertThat(sessions.requests("GET").getLast().header("Last-Event-ID")).isEqualTo("8");
  }

  @Test
  void neverEndsAStreamWithAnAnswer() {
    sessions.start();
    sessions.on("GET", request -> events("id: 9\nretry: 1\ndata: {}\n\n"));
    sessions.on("tools/call", request -> events("id: 8\nretry: 1\ndata: {}\n\n"));
    assertThat(sessions.run().error()).contains("hung up without an answer");
    assertThat(sessions.requests("GET").size()).isLessThan(20);
  }

  @Test
  void failsToGiveAResource() {
    stateless.on(
        "server/discover",
        request ->
            FakeWeb.result(
                request,
                "{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{},\"resources\":{}}}"));
    stateless.on("resources/read", StubAnswer.of(503, ""), StubAnswer.of(200, "{}"));
    stateless.start();
    String read = "{\"action\":\"read\",\"uri\":\"file:///x\"}";
    assertThat(stateless.call("mcp_resources", read).success()).isFalse();
    stateless.on(
        "resources/read",
        request ->
            FakeWeb.result(request, "{\"contents\":[{\"uri\":\"file:///x\",\"text\":\"words\"}]}"));
    assertThat(stateless.call("mcp_resources", read).text()).isEqualTo("words");
    stateless.on("resources/read", StubAnswer.of(503, ""));
    assertThat(stateless.call("mcp_resources", read).error()).contains("HTTP 503");
  }

  @Test
  void isNotThereAtFirst() {
    String closed = "127.0.0.1:" + Ports.CLOSED;
    FakeWeb later = sessions;
    McpTools unreachable =
        McpTools.at("web", URI.create("http://" + closed + "/mcp"))
            .network(GuardedHttp.allowing(closed));
    later.start(any -> unreachable);
    ToolRegistry.Source.State state = later.executor().sources().getFirst();
    assertThat(state.ready()).isFalse();
    assertThat(state.detail()).isEqualTo("the connection was refused");
    assertThat(later.run().code()).isEqualTo(ResultCode.UNKNOWN_TOOL);
  }

  @Test
  void isRepairedAfterItsStart() {
    stateless.on("server/discover", StubAnswer.of(503, "")).start();
    assertThat(stateless.executor().sources().getFirst().detail()).isEqualTo("HTTP 503");
    stateless.answers.clear();
    await().until(() -> stateless.executor().sources().getFirst().ready());
    assertItGoesOn(stateless);
  }

  @Test
  void isBlocked() {
    stateless.start(any -> McpTools.at("web", URI.create(stateless.web.url("/mcp"))));
    assertThat(stateless.executor().sources().getFirst().detail()).startsWith("URL blocked: ");
    assertThat(stateless.web.requests()).isEmpty();
  }

  @Test
  void namesASessionThatCannotBeSent() {
    sessions.on(
        "initialize",
        request -> sessions.usual("initialize", request).header("Mcp-Session-Id", "a b"));
    sessions.start();
    assertThat(sessions.executor().sources().getFirst().detail())
        .contains("id that cannot be sent");
  }

  @Test
  void doesNotLetItsSessionBeEnded() {
    sessions.start();
    sessions.on("DELETE", StubAnswer.hang());
    sessions.executor().close();
    await().untilAsserted(() -> assertThat(sessions.requests("DELETE")).hasSize(1));
  }

  /// An answer to a GET, which also listens before there is a call.
  private StubAnswer answersTheLastCall() {
    List<StubRequest> calls = sessions.requests("tools/call");
    return calls.isEmpty()
        ? StubAnswer.status(405)
        : events("data: " + message(calls.getLast(), WELL) + "\n\n");
  }
}
