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
import dev.switchboard.testing.ScriptedModel;
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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The conversation that MCP clients of a principal have, as the same principal meets it by HTTP.
class OwnConversationTest {
  private static final String META =
      ",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}}";

  private final HttpClient http = HttpClient.newHttpClient();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);
  private final ScriptedModel model = new ScriptedModel();

  @TempDir private Path folder;

  private final Agent agent =
      Agent.builder("shop")
          .model(model)
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

  @AfterEach
  void close() {
    end.countDown();
    agent.close();
  }

  private HttpResponse<String> post(
      Server server, String token, String path, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .POST(BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return http.sendAsync(request.build(), BodyHandlers.ofString()).join();
  }

  private HttpResponse<String> call(Server server, String token, String tool) {
    return post(
        server,
        token,
        "/mcp",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\",\"arguments\":{}%s}}"
            .formatted(tool, META),
        "MCP-Protocol-Version",
        "2026-07-28",
        "Mcp-Method",
        "tools/call",
        "Mcp-Name",
        tool);
  }

  private Server serve(Tokens tokens, McpServer mcp) {
    return Server.builder(tokens)
        .agents(agent)
        .port(0)
        .mount(mcp.routes("/mcp").toArray(Mount[]::new))
        .start();
  }

  @Test
  void isBusyForTurnsUntilMcpHasClosedIt() throws Exception {
    Tokens tokens = Tokens.open(folder.resolve("tokens"));
    String token = tokens.add("ada", Role.CHAT, Role.TOOLS);
    McpServer mcp = McpServer.of(agent);
    try (Server server = serve(tokens, mcp)) {
      assertThat(call(server, token, "quick").body()).contains("done");
      assertBusy(say(server, token));
      CompletableFuture<HttpResponse<String>> slow =
          CompletableFuture.supplyAsync(() -> call(server, token, "slow"));
      begun.await();
      assertBusy(say(server, token));
      end.countDown();
      assertThat(slow.join().body()).contains("done");
      assertThat(call(server, token, "quick").body()).contains("done");

      mcp.close();
      model.says("Hello!");
      assertThat(say(server, token).statusCode()).isEqualTo(200);
      model.awaitRequests(1);
    }
  }

  @Test
  void aRequestIsAnsweredWhateverIdItsClientChose() throws Exception {
    Tokens tokens = Tokens.open(folder.resolve("tokens"));
    String token = tokens.add("ada", Role.CHAT, Role.TOOLS, Role.APPROVE);
    try (McpServer mcp = McpServer.of(agent);
        Server server = serve(tokens, mcp)) {
      HttpResponse<String> begun =
          post(
              server,
              token,
              "/mcp",
              "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":"
                  + "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}}");
      String session = begun.headers().firstValue("Mcp-Session-Id").orElseThrow();
      for (String id : List.of("a:b", "%3A", "100%:", "::")) {
        HttpResponse<String> pending =
            post(
                server,
                token,
                "/mcp",
                "{\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"method\":\"tools/call\",\"params\":{\"name\":\"pay\",\"arguments\":{}}}"
                    .formatted(id),
                "Mcp-Session-Id",
                session);
        assertThat(pending.body()).as(id).contains("needs a person's consent");
        String request =
            Json.text(get(server, token, "/v1/approvals")).tree().at("/items/0/id").asString();
        HttpResponse<String> answered =
            post(
                server,
                token,
                "/v1/approvals/" + URLEncoder.encode(request, StandardCharsets.UTF_8),
                "{\"decision\":\"approve\"}");
        assertThat(answered.statusCode()).as(request + " " + answered.body()).isEqualTo(200);
        assertThat(Json.text(answered.body()).tree().path("decision").asString())
            .isEqualTo("approve");
      }
    }
  }

  private String get(Server server, String token, String path) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
            .header("Authorization", "Bearer " + token)
            .build();
    return http.sendAsync(request, BodyHandlers.ofString()).join().body();
  }

  private HttpResponse<String> say(Server server, String token) {
    String id = DerivedId.of("mcp", "shop", "ada", "");
    return post(server, token, "/v1/conversations/" + id + "/turns", "{\"text\":\"Hi\"}");
  }

  private static void assertBusy(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).isEqualTo(409);
    assertThat(answer.body()).contains("\"conversation_busy\"");
    assertThat(answer.headers().firstValue("Retry-After")).isPresent();
  }
}
