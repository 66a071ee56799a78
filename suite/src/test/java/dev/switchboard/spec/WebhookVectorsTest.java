package dev.switchboard.spec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.harness.Vectors;
import dev.switchboard.harness.Vectors.Vector;
import dev.switchboard.json.Json;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.testing.StubWebhook;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import dev.switchboard.webhook.GuardedHttp;
import dev.switchboard.webhook.Secret;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Webhooks through the door, against a real server on loopback: areas webhook-request,
/// webhook-response and retry.
class WebhookVectorsTest {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final StubWebhook server = StubWebhook.start();
  private final GuardedHttp network = GuardedHttp.allowing(server.hostAndPort());
  private final ManualTime time = new ManualTime();
  private final ToolSession session =
      ToolSession.builder("call_abc123").caller("+15550001234").callee("+15550009876").build();

  @AfterEach
  void stop() {
    network.close();
    server.close();
  }

  private Tool.DynamicBuilder tool(String name) {
    return Tool.dynamic(name, "{\"type\":\"object\"}").network(network);
  }

  private ToolResult call(Tool tool, Json arguments) {
    return ToolExecutor.builder()
        .tools(List.of(tool))
        .time(time)
        .build()
        .execute(new ToolCall("c1", tool.name(), arguments), session);
  }

  private URI url() {
    return URI.create(server.url("/hook"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"C029", "C030", "C031", "C032"})
  void requests(String id) {
    Vector vector = Vectors.byId(id);
    String name = vector.given().at("/tool/name").asString("lookup");
    Json arguments =
        vector.given().has("arguments")
            ? Json.of(vector.given().get("arguments"))
            : Json.EMPTY_OBJECT;
    server.answer(200, "{}");
    call(tool(name).webhook(url()), arguments);
    StubRequest request = server.takeRequest(PATIENCE);
    JsonNode body = Json.text(request.body()).tree();
    assertThat(request.method()).isEqualTo("POST");
    assertThat(request.header("content-type")).isEqualTo("application/json");
    JsonNode expected = vector.expect().path("body");
    for (String member : expected.propertyNames()) {
      assertThat(body.get(member)).as(member).isEqualTo(expected.get(member));
    }
    for (JsonNode key : vector.expect().path("body_has_keys")) {
      assertThat(body.has(key.asString())).as(key.asString()).isTrue();
    }
    assertThat(body.get("arguments")).isEqualTo(arguments.tree());
    assertThat(body.get("tool_name")).isEqualTo(body.get("tool"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "C033", "C036", "C037", "C038", "C039", "C040", "C041", "C042", "C043", "C044", "C045",
        "C047", "C049", "C050", "C051"
      })
  void answers(String id) {
    Vector vector = Vectors.byId(id);
    ServerScript.play(vector.given().get("server"), server);
    Tool.DynamicBuilder tool = tool("lookup").resultLimit(Integer.MAX_VALUE);
    if (vector.given().has("limit")) {
      tool.responseLimit(vector.given().get("limit").longValue());
    }
    RetryPolicy retry = RetryPolicy.DEFAULT;
    if (vector.given().has("max_retries")) {
      retry = retry.withMaxRetries(vector.given().get("max_retries").intValue());
    }
    if (vector.given().has("retry_on")) {
      retry = retry.withOn(RetryPolicy.On.TRANSIENT);
    }
    ToolResult result =
        call(tool.retry(retry).deadline(Duration.ofMinutes(5)).webhook(url()), Json.EMPTY_OBJECT);
    vector.expect().forEachEntry((name, value) -> holds(name, value, result));
  }

  private void holds(String name, JsonNode expected, ToolResult result) {
    switch (name) {
      case "result_json", "result" -> {
        assertThat(result.success()).isTrue();
        String text = expected.isString() ? expected.stringValue() : expected.toString();
        assertThat(Json.text(String.valueOf(result.text())).tree())
            .isEqualTo(Json.text(text).tree());
      }
      case "ok" -> assertThat(result.success()).isTrue();
      case "error_envelope" -> assertThat(result.error()).isNotEmpty();
      case "fallback" -> assertThat(result.fallback()).isTrue();
      case "error_contains", "result_contains" ->
          assertThat(result.error()).contains(expected.stringValue());
      case "http_requests", "http_attempts" ->
          assertThat(server.requests()).hasSize(expected.intValue());
      case "attempts_seen" ->
          assertThat(server.requests())
              .extracting(request -> Json.text(request.body()).tree().get("attempt").intValue())
              .containsExactly(1, 2, 3);
      case "sleeps_between" -> sleeps(expected);
      case "client_reads_at_most_bytes" ->
          // What the server could write may also lie in the buffers of two sockets.
          assertThat(server.bodyBytesWritten()).isLessThan(expected.longValue() + 8_000_000);
      default -> throw new AssertionError("no check for " + name);
    }
  }

  private void sleeps(JsonNode bounds) {
    List<Duration> pauses = time.pauses();
    assertThat(pauses).hasSize(bounds.size());
    for (int i = 0; i < bounds.size(); i++) {
      assertThat(pauses.get(i).toNanos() / 1e6)
          .isBetween(bounds.get(i).get(0).doubleValue(), bounds.get(i).get(1).doubleValue());
    }
  }

  @Test
  void c034SendsOneKeyOnEveryAttemptAndAnotherForEveryCall() {
    server.answer(500, "").answer(500, "").answer(200, "{}");
    Tool tool = tool("lookup").webhook(url());
    ToolExecutor executor = ToolExecutor.builder().tools(List.of(tool)).time(time).build();
    executor.execute(new ToolCall("c1", "lookup", Json.EMPTY_OBJECT), session);
    executor.execute(new ToolCall("c2", "lookup", Json.EMPTY_OBJECT), session);
    List<String> keys =
        server.requests().stream().map(request -> request.header("idempotency-key")).toList();
    assertThat(keys).hasSize(4).doesNotContainNull();
    assertThat(keys.subList(0, 3)).containsOnly(keys.getFirst());
    assertThat(keys.getLast()).isNotEqualTo(keys.getFirst());
  }

  @Test
  void c053TriesAgainAfterATimeout() {
    server.answer(StubAnswer.hang());
    CompletableFuture<ToolResult> result = new CompletableFuture<>();
    Tool tool = tool("lookup").webhook(url());
    Thread.startVirtualThread(() -> result.complete(call(tool, Json.EMPTY_OBJECT)));
    for (int attempt = 1; attempt <= 3; attempt++) {
      server.takeRequest(PATIENCE);
      time.awaitSleepers(1);
      time.advance(Duration.ofSeconds(10));
    }
    ToolResult settled = result.orTimeout(5, TimeUnit.MINUTES).join();
    assertThat(settled.code()).isEqualTo(ResultCode.TIMEOUT);
    assertThat(settled.fallback()).isTrue();
    assertThat(settled.error())
        .isEqualTo("Tool failed after 3 attempts: 'lookup' timed out after 10 s");
  }

  @Test
  void c054WaitsAsLongAsItIsTold() {
    CountDownLatch release = new CountDownLatch(1);
    server.answer(request -> {
      try {
        release.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return StubAnswer.of(200, "{\"ok\":1}");
    });
    Tool tool =
        tool("lookup")
            .timeout(Duration.ofSeconds(60))
            .deadline(Duration.ofSeconds(60))
            .webhook(url());
    CompletableFuture<ToolResult> result = new CompletableFuture<>();
    Thread.startVirtualThread(() -> result.complete(call(tool, Json.EMPTY_OBJECT)));
    server.takeRequest(PATIENCE);
    time.awaitSleepers(1);
    time.advance(Duration.ofSeconds(30));
    release.countDown();
    assertThat(result.orTimeout(5, TimeUnit.MINUTES).join().success()).isTrue();
  }

  @Test
  void c180FollowsNoRedirect() {
    server.answer(StubAnswer.status(307).header("Location", server.url("/secret")));
    ToolResult result =
        call(tool("lookup").retry(RetryPolicy.NONE).webhook(url()), Json.EMPTY_OBJECT);
    assertThat(result.error()).contains("HTTP 307");
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void c077DoesNotCountABlockedUrlForTheBreaker() {
    // A name that is fine as written and leads to an inner address.
    Tool tool =
        Tool.dynamic("lookup")
            .network(
                GuardedHttp.of(
                    dev.switchboard.webhook.UrlGuard.STRICT,
                    host -> List.of(java.net.InetAddress.getLoopbackAddress())))
            .webhook(URI.create("http://rebind.example:" + server.port() + "/"));
    ToolExecutor executor = ToolExecutor.builder().tools(List.of(tool)).time(time).build();
    for (int i = 0; i < 6; i++) {
      ToolResult result = executor.execute(ToolCall.of("lookup", "{}"));
      assertThat(result.code()).isEqualTo(ResultCode.URL_BLOCKED);
      assertThat(result.fallback()).isTrue();
    }
    assertThat(executor.breaker("lookup").consecutiveFailures()).isZero();
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void handsTheAnswersTextOnAsItCame() {
    server.answer(200, " { \"price\" : 1.50 }\n");
    ToolResult result = call(tool("lookup").webhook(url()), Json.EMPTY_OBJECT);
    assertThat(result.text()).isEqualTo(" { \"price\" : 1.50 }\n");
    assertThat(result.data()).isNotNull();
  }

  @Test
  void takesAToolResultForWhatItIs() {
    server.answer(200, "{\"success\":false,\"error\":\"full\",\"needsFollowup\":true}");
    ToolResult result = call(tool("lookup").webhook(url()), Json.EMPTY_OBJECT);
    assertThat(result.success()).isFalse();
    assertThat(result.isTerminal()).isFalse();
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void cutsAFailuresBodyBetweenCharacters() {
    server.answer(400, "x".repeat(499) + "\uD83D\uDE00 and more");
    Tool tool = tool("delete_it").webhook(url());
    assertThat(call(tool, Json.EMPTY_OBJECT).error())
        .endsWith("HTTP 400: " + "x".repeat(499) + "...");
  }

  @Test
  void signsRequestsWithASecret() {
    server.answer(200, "{}");
    call(tool("lookup").webhook(url(), Secret.of("plain secret")), Json.EMPTY_OBJECT);
    StubRequest request = server.takeRequest(PATIENCE);
    assertThat(request.header("webhook-id")).isEqualTo(request.header("idempotency-key"));
    assertThat(request.header("webhook-timestamp")).isEqualTo("1767268800");
    assertThat(request.header("webhook-signature")).startsWith("v1,");
  }

  @Test
  void keepsToRetryAfter() {
    server.answer(StubAnswer.status(503).header("Retry-After", "4")).answer(200, "{}");
    assertThat(call(tool("lookup").webhook(url()), Json.EMPTY_OBJECT).success()).isTrue();
    assertThat(time.pauses()).containsExactly(Duration.ofSeconds(4));
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 404, 409, 418})
  void keepsToRetryAfterWhateverTheStatus(int status) {
    server.answer(StubAnswer.status(status).header("Retry-After", "4")).answer(200, "{}");
    assertThat(call(tool("lookup").webhook(url()), Json.EMPTY_OBJECT).success()).isTrue();
    assertThat(time.pauses()).containsExactly(Duration.ofSeconds(4));
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/json", "application/x-ndjson"})
  void skipsAByteOrderMark(String type) {
    server.answer(StubAnswer.of(200, "\uFEFF{\"ok\":1}").contentType(type));
    assertThat(call(tool("lookup").webhook(url()), Json.EMPTY_OBJECT).text())
        .isEqualTo("{\"ok\":1}");
  }

  @Test
  void refusesABlockedUrlWhenTheToolIsBuilt() {
    org.assertj.core.api.Assertions.assertThatThrownBy(
            () -> Tool.dynamic("t").webhook(URI.create("http://169.254.169.254/latest")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("tool 't': webhook URL blocked: 169.254.169.254 is");
  }

  @Test
  void survivesAServerThatResetsOrTalksGarbage() {
    server.answer(StubAnswer.reset()).answer(StubAnswer.garbage()).answer(200, "{\"ok\":1}");
    assertThat(call(tool("lookup").webhook(url()), Json.EMPTY_OBJECT).text())
        .isEqualTo("{\"ok\":1}");
  }
}
