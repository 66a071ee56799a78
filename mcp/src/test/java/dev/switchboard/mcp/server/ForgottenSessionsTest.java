package dev.switchboard.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.mcp.McpServer;
import dev.switchboard.mount.Mount;
import dev.switchboard.mount.Role;
import dev.switchboard.server.Server;
import dev.switchboard.server.access.Tokens;
import dev.switchboard.text.DerivedId;
import dev.switchboard.tool.ToolMode;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Conversations of MCP clients, in sessions and without, that are cancelled, read and deleted over
/// HTTP.
class ForgottenSessionsTest {
  private static final String META =
      ",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}}";
  private static final Pattern REQUEST = Pattern.compile("has the id '([^']+)'");

  private final HttpClient http = HttpClient.newHttpClient();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);

  @TempDir private Path folder;

  private final Agent agent =
      Agent.builder("shop")
          .store(new InProcessConversations())
          .tools(
              Tool.dynamic("slow")
                  .mode(ToolMode.READ)
                  .handler(arguments -> {
                    begun.countDown();
                    end.await();
                    return "done";
                  }),
              Tool.dynamic("quick").mode(ToolMode.READ).handler(arguments -> "done"),
              Tool.dynamic("pay").mode(ToolMode.LOCAL).handler(arguments -> "paid"))
          .build();

  private McpServer mcp;
  private Server server;
  private String token;
  private String session = "";
  private String conversation = "";
  private int calls;

  @BeforeEach
  void start() {
    Tokens tokens = Tokens.open(folder.resolve("tokens"));
    token = tokens.add("ada", Role.CHAT, Role.TOOLS, Role.APPROVE);
    mcp = McpServer.of(agent);
    server =
        Server.builder(tokens)
            .agents(agent)
            .port(0)
            .mount(mcp.routes("/mcp").toArray(Mount[]::new))
            .start();
  }

  @AfterEach
  void close() {
    end.countDown();
    mcp.close();
    server.close();
    agent.close();
  }

  private HttpResponse<String> send(String method, String path, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json")
            .method(method, BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return http.sendAsync(request.build(), BodyHandlers.ofString()).join();
  }

  private String path(String more) {
    return "/v1/conversations/" + URLEncoder.encode(conversation, StandardCharsets.UTF_8) + more;
  }

  private JsonNode items(String path) {
    return Json.text(send("GET", path, "").body()).tree().path("items");
  }

  private void begin(boolean inSession) {
    if (inSession) {
      HttpResponse<String> begun =
          send(
              "POST",
              "/mcp",
              "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":"
                  + "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}}");
      session = begun.headers().firstValue("Mcp-Session-Id").orElseThrow();
      conversation = "mcp-" + session;
    } else {
      conversation = DerivedId.of("mcp", "shop", "ada", "");
    }
  }

  private HttpResponse<String> call(String tool, String arguments) {
    calls++;
    String request =
        "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\",\"arguments\":%s%s}}"
            .formatted(calls, tool, arguments, session.isEmpty() ? META : "");
    return session.isEmpty()
        ? send(
            "POST",
            "/mcp",
            request,
            "MCP-Protocol-Version",
            "2026-07-28",
            "Mcp-Method",
            "tools/call",
            "Mcp-Name",
            tool)
        : send("POST", "/mcp", request, "Mcp-Session-Id", session);
  }

  private CompletableFuture<String> callSlowly() throws InterruptedException {
    CompletableFuture<String> answer =
        CompletableFuture.supplyAsync(() -> call("slow", "{}").body(), Thread::startVirtualThread);
    begun.await();
    return answer;
  }

  private void assertSessionIsOver() {
    HttpResponse<String> next = call("quick", "{}");
    if (session.isEmpty()) {
      assertThat(next.body()).contains("done");
      assertThat(items("/v1/conversations").path(0).path("calls").asInt()).isEqualTo(1);
    } else {
      assertThat(next.statusCode()).isEqualTo(404);
      assertThat(items("/v1/conversations")).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void areForgottenWithTheirPrincipalWhileNothingRuns(boolean inSession) {
    begin(inSession);
    assertThat(call("quick", "{}").body()).contains("done");
    assertThat(call("pay", "{}").body()).contains("consent");

    HttpResponse<String> forgotten = send("DELETE", "/v1/conversations?principal=ada", "");

    assertThat(forgotten.body()).isEqualTo("{\"deleted\":1}");
    assertThat(items("/v1/conversations")).isEmpty();
    assertThat(items("/v1/approvals")).isEmpty();
    assertSessionIsOver();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRunningCallEndsBeforeTheConversationIsDeleted(boolean inSession) throws Exception {
    begin(inSession);
    CompletableFuture<String> slow = callSlowly();

    assertThat(send("DELETE", path(""), "").statusCode()).isEqualTo(204);
    assertThat(slow.join()).contains("cancelled");
    assertSessionIsOver();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRunningCallIsCancelled(boolean inSession) throws Exception {
    begin(inSession);
    CompletableFuture<String> slow = callSlowly();

    assertThat(send("POST", path("/cancel"), "").statusCode()).isEqualTo(202);
    assertThat(slow.join()).contains("cancelled");
    assertThat(call("quick", "{}").body()).contains("done");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aWaitingRequestIsDenied(boolean inSession) {
    begin(inSession);
    Matcher found = REQUEST.matcher(call("pay", "{}").body());
    assertThat(found.find()).isTrue();
    String request = found.group(1);
    assertThat(items("/v1/approvals")).hasSize(1);

    assertThat(send("POST", path("/cancel"), "").statusCode()).isEqualTo(202);

    assertThat(items("/v1/approvals")).isEmpty();
    assertThat(call(ClientSession.STATUS, "{\"id\":\"" + request + "\"}").body())
        .contains("failed", "it was cancelled");
    String approval =
        "/v1/approvals/" + URLEncoder.encode(conversation + ":" + request, StandardCharsets.UTF_8);
    assertThat(send("POST", approval, "{\"decision\":\"approve\"}").statusCode()).isEqualTo(409);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theirOwnerReadsTheirEvents(boolean inSession) {
    begin(inSession);
    assertThat(call("quick", "{}").body()).contains("done");
    assertThat(send("GET", path("/events"), "").body()).contains("\"tool_result\"");
    assertThat(call("pay", "{}").body()).contains("consent");

    String events = send("GET", path("/events"), "").body();
    assertThat(events).contains("\"tool_result\"", "\"consent_request\"");
    int all = Json.text(events).tree().path("items").size();
    assertThat(send("GET", path("/events?after=" + all), "").statusCode()).isEqualTo(200);
  }
}
