package dev.switchboard.mcp.client;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.mcp.McpTools;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.testing.StubWebhook;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import dev.switchboard.webhook.GuardedHttp;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;

/// A server of MCP over streamable HTTP that answers as it was told, and an executor with its
/// tools.
final class FakeWeb implements AutoCloseable {
  static final String RUN =
      """
      {"name":"run","inputSchema":{"type":"object"},"annotations":{"destructiveHint":false}}\
      """;

  final StubWebhook web = StubWebhook.start();
  final Map<String, Function<StubRequest, StubAnswer>> answers = new ConcurrentHashMap<>();
  final List<String> tools = new CopyOnWriteArrayList<>(List.of(RUN));
  private final String revision;
  private final AtomicInteger sessions = new AtomicInteger();
  private final AtomicInteger calls = new AtomicInteger();
  private ToolExecutor executor;

  FakeWeb(String revision) {
    this.revision = revision;
    web.answer(this::answer);
  }

  /// Connects.
  FakeWeb start() {
    return start(tools -> tools);
  }

  FakeWeb start(UnaryOperator<McpTools> more) {
    McpTools known =
        McpTools.at("web", URI.create(web.url("/mcp")))
            .network(GuardedHttp.allowing(web.hostAndPort()))
            .timeout(Duration.ofMinutes(5));
    executor = ToolExecutor.builder().defaults(Fake.UNHURRIED).tools(more.apply(known)).build();
    return this;
  }

  ToolExecutor executor() {
    return executor;
  }

  ToolResult run() {
    return call("web__run", "{}");
  }

  ToolResult call(String tool, String arguments) {
    int number = calls.incrementAndGet();
    return executor.execute(
        ToolCall.of("call_" + number, tool, arguments), ToolSession.of("talk_" + number));
  }

  /// The requests of that method so far.
  List<StubRequest> requests(String method) {
    return web.requests().stream().filter(request -> method(request).equals(method)).toList();
  }

  /// Answers of that method from now on.
  FakeWeb on(String method, Function<StubRequest, StubAnswer> answer) {
    answers.put(method, answer);
    return this;
  }

  FakeWeb on(String method, StubAnswer... inTurn) {
    AtomicInteger next = new AtomicInteger();
    return on(method, request -> inTurn[Math.min(next.getAndIncrement(), inTurn.length - 1)]);
  }

  private StubAnswer answer(StubRequest request) {
    String method = method(request);
    Function<StubRequest, StubAnswer> told = answers.get(method);
    return told == null ? usual(method, request) : told.apply(request);
  }

  static String method(StubRequest request) {
    return request.method().equals("POST")
        ? request.json().tree().path("method").asString("answer")
        : request.method();
  }

  StubAnswer usual(String method, StubRequest request) {
    return switch (method) {
      case "server/discover" ->
          revision.equals(Fake.STATELESS)
              ? result(
                  request,
                  "{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}}}")
              : StubAnswer.of(400, "Bad Request: no session");
      case "initialize" ->
          result(
                  request,
                  "{\"protocolVersion\":\"%s\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"web\",\"version\":\"1\"}}"
                      .formatted(revision))
              .header("Mcp-Session-Id", "session-" + sessions.incrementAndGet());
      case "tools/list" -> result(request, "{\"tools\":[" + String.join(",", tools) + "]}");
      case "tools/call" -> text(request, "well");
      case "GET" -> StubAnswer.status(405);
      default -> StubAnswer.status(202);
    };
  }

  static StubAnswer text(StubRequest request, String text) {
    var part = Codec.object().put("type", "text").put("text", text);
    return result(request, "{\"content\":[" + part + "]}");
  }

  static StubAnswer result(StubRequest request, String result) {
    return StubAnswer.of(200, message(request, result));
  }

  static String message(StubRequest request, String result) {
    return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}".formatted(id(request), result);
  }

  static JsonNode id(StubRequest request) {
    return request.json().tree().path("id");
  }

  static StubAnswer events(String body) {
    return StubAnswer.of(200, body).contentType("text/event-stream");
  }

  static Json object(String text) {
    return Json.text(text);
  }

  @Override
  public void close() {
    if (executor != null) {
      executor.close();
    }
    web.close();
  }
}
