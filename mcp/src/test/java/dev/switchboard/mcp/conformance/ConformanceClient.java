package dev.switchboard.mcp.conformance;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.Approver;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.http.HttpRequest;
import dev.switchboard.http.OpenAnswer;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.mcp.McpTools;
import dev.switchboard.mcp.oauth.Credentials;
import dev.switchboard.mcp.oauth.OAuth;
import dev.switchboard.mcp.oauth.OAuthBuilder;
import dev.switchboard.mcp.oauth.SigningKey;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.webhook.GuardedHttp;
import dev.switchboard.webhook.UrlGuard;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The client that the conformance suite tries: an executor with the tools of the server at a URL,
/// which calls them as the scenario asks, or with arguments made from their schemas.
final class ConformanceClient implements AutoCloseable {
  private static final String DOCUMENT = "https://conformance-test.local/client-metadata.json";

  private static final UrlGuard EVERYTHING_HERE =
      UrlGuard.of(
          IntStream.rangeClosed(1_024, 65_535)
              .boxed()
              .flatMap(port -> Stream.of("localhost:" + port, "127.0.0.1:" + port))
              .toList());

  private final String scenario;
  private final JsonNode context;
  private final List<String> said = new ArrayList<>();
  private final AtomicInteger calls = new AtomicInteger();
  private final ToolExecutor executor;

  /// @param context what the scenario gives a client to know
  ConformanceClient(URI url, String scenario, JsonNode context) {
    this.scenario = scenario;
    this.context = context;
    GuardedHttp http = GuardedHttp.of(EVERYTHING_HERE);
    McpTools server =
        McpTools.at("conformance", url)
            .withoutPrefix()
            .required()
            .trusted()
            .timeout(Duration.ofMinutes(5))
            .network(http);
    McpTools known =
        scenario.startsWith("auth/") ? server.credentials(credentials(url, http)) : server;
    executor = ToolExecutor.builder().tools(known).approver(approver()).build();
  }

  private Credentials credentials(URI url, GuardedHttp http) {
    OAuthBuilder oauth =
        OAuth.builder("conformance", url.toString(), http)
            .metadataDocument(DOCUMENT)
            .person((server, page, pasted) -> visit(page, http));
    if (context.has("client_id")) {
      oauth.clientId(context.path("client_id").asString());
    }
    if (context.has("client_secret")) {
      oauth.clientSecret(context.path("client_secret").asString());
    }
    if (context.has("private_key_pem")) {
      oauth.clientKey(SigningKey.of(context.path("private_key_pem").asString(), null));
    }
    return scenario.contains("client-credentials") ? oauth.machine().build() : oauth.build();
  }

  /// Goes where a browser goes: to the page, and from there to where it is sent.
  private static void visit(URI page, GuardedHttp http) throws IOException {
    try (OpenAnswer answer = http.open(get(page.toString()), action -> {})) {
      String location = answer.header("Location");
      if (location != null) {
        http.open(get(location), action -> {}).close();
      }
    }
  }

  private static HttpRequest get(String where) {
    return new HttpRequest("GET", where, Map.of(), null, 65_536, false);
  }

  /// Agrees to everything; a state that a server gave for one call must not be sent with another.
  private Approver approver() {
    return request -> {
      if (scenario.startsWith("sep-2322")) {
        call("test_mrtr_unrelated", Json.EMPTY_OBJECT);
      }
      return new Answer.Approved(Duration.ZERO, null, null);
    };
  }

  /// Calls what there is.
  ///
  /// @return the calls and their results
  List<String> run() {
    if (context.has("toolCalls")) {
      context
          .path("toolCalls")
          .forEach(call -> call(call.path("name").stringValue(), withoutNulls(call)));
      return said;
    }
    for (ToolDefinition tool : executor.definitions()) {
      if (tool.name().equals("json_schema_echo")) {
        ObjectNode echoed = Codec.object();
        echoed.set("schema", definition("json_schema_2020_12_tool").parameters().tree());
        call(tool.name(), Json.of(echoed));
      } else if (!tool.name().equals("mcp_resources")) {
        call(tool.name(), Json.of(sample(tool.parameters().tree())));
      }
    }
    return said;
  }

  /// No call of ours has a null that the tool's schema does not allow.
  private static Json withoutNulls(JsonNode call) {
    ObjectNode arguments = Codec.object();
    for (Map.Entry<String, JsonNode> member : call.path("arguments").properties()) {
      if (!member.getValue().isNull()) {
        arguments.set(member.getKey(), member.getValue());
      }
    }
    return Json.of(arguments);
  }

  private ToolDefinition definition(String name) {
    return executor.definitions().stream()
        .filter(tool -> tool.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private void call(String tool, Json arguments) {
    ToolSession session = ToolSession.of("conformance-" + calls.incrementAndGet());
    said.add(
        tool
            + " -> "
            + executor.execute(ToolCall.of("call_" + calls, tool, arguments.text()), session));
  }

  private static JsonNode sample(JsonNode schema) {
    ObjectNode value = Codec.object();
    for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
      switch (property.getValue().path("type").asString("")) {
        case "string" -> value.put(property.getKey(), "some text");
        case "integer", "number" -> value.put(property.getKey(), 3);
        case "boolean" -> value.put(property.getKey(), true);
        default -> {}
      }
    }
    return value;
  }

  @Override
  public void close() {
    executor.close();
  }
}
