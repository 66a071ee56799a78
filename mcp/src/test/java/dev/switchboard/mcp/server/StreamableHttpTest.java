package dev.switchboard.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.agent.Agent;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.mcp.McpServer;
import dev.switchboard.mount.Mount;
import dev.switchboard.mount.Permission;
import dev.switchboard.mount.Principal;
import dev.switchboard.mount.Role;
import dev.switchboard.tool.ToolMode;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// What HTTP adds to the server: sessions and whose they are, headers, streams.
class StreamableHttpTest {
  private static final Principal ADA = Principal.of("ada", Role.TOOLS);
  private static final Principal BOB = Principal.of("bob", Role.TOOLS);
  private static final Principal OPERATOR = Principal.of("op", Role.OPERATE);
  private static final String INITIALIZE =
      message(
          1,
          "initialize",
          "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"elicitation\":{}},\"clientInfo\":{}}");

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch cut = new CountDownLatch(1);
  private final Agent agent =
      Agent.builder("shop")
          .tools(
              Tool.dynamic("hello").handler(arguments -> "hello"),
              Tool.dynamic("slow")
                  .mode(ToolMode.READ)
                  .timeout(Duration.ofMinutes(5))
                  .handler((arguments, context) -> {
                    context.progress("at it");
                    begun.countDown();
                    try {
                      new CountDownLatch(1).await();
                    } finally {
                      cut.countDown();
                    }
                    return "never";
                  }),
              Tool.dynamic("shell_rm").handler(arguments -> "removed"))
          .build();
  private final McpServer server = McpServer.of(agent);
  private final Map<String, Mount.Handler> routes = new HashMap<>();

  StreamableHttpTest() {
    for (Mount mount : server.routes("/mcp")) {
      assertThat(mount.check()).isEqualTo(Mount.Check.server(Permission.CALL_TOOLS));
      if (mount instanceof Mount.Http http) {
        routes.put(http.method(), http.handler());
      }
    }
  }

  @AfterEach
  void end() {
    server.close();
    agent.close();
  }

  /// What was answered.
  @SuppressWarnings("JdkObsolete") // other threads ask for it
  private static final class Answer implements Mount.Response {
    private int status;
    private Map<String, String> headers = Map.of();
    private final StringBuffer body = new StringBuffer(); // asked by other threads too
    private final int mostEvents;
    private int events;

    /// @param mostEvents after which the client is gone
    private Answer(int mostEvents) {
      this.mostEvents = mostEvents;
    }

    @Override
    public void send(int code, Map<String, String> more, String text) {
      status = code;
      headers = more;
      body.append(text);
    }

    @Override
    public Mount.EventStream events() {
      status = 200;
      return new Mount.EventStream() {
        @Override
        public void send(String text) throws IOException {
          if (++events > mostEvents) {
            throw new IOException("gone");
          }
          body.append(text);
        }

        @Override
        public void close() {}
      };
    }

    private JsonNode json() {
      return Json.text(body.toString()).tree();
    }
  }

  private static String message(int id, String method, String params) {
    return "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":%s}"
        .formatted(id, method, params);
  }

  private Answer send(String method, Principal principal, String body, String... headers)
      throws Exception {
    return send(method, principal, 1_000, body, headers);
  }

  private Answer send(
      String method, Principal principal, int mostEvents, String body, String... headers)
      throws Exception {
    Answer answer = new Answer(mostEvents);
    send(method, principal, body, answer, headers);
    return answer;
  }

  private void send(
      String method, Principal principal, String body, Answer answer, String... headers)
      throws Exception {
    Map<String, List<String>> all = new HashMap<>();
    for (int i = 0; i < headers.length; i += 2) {
      all.put(headers[i].toLowerCase(Locale.ROOT), List.of(headers[i + 1]));
    }
    routes
        .get(method)
        .handle(new Mount.Request(method, "/mcp", all, body, "127.0.0.1", principal), answer);
  }

  private String session(Principal principal) throws Exception {
    return send("POST", principal, INITIALIZE).headers.get("Mcp-Session-Id");
  }

  @Test
  void aSessionIsItsOwnersAlone() throws Exception {
    String session = session(ADA);
    String list = message(2, "tools/list", "{}");

    assertThat(send("POST", ADA, list, "Mcp-Session-Id", session).status).isEqualTo(200);
    assertThat(send("POST", BOB, list, "Mcp-Session-Id", session).status).isEqualTo(404);
    assertThat(send("DELETE", BOB, "", "Mcp-Session-Id", session).status).isEqualTo(404);
    assertThat(send("POST", ADA, list).status).isEqualTo(400);
    assertThat(send("DELETE", ADA, "", "Mcp-Session-Id", session).status).isEqualTo(204);
    assertThat(send("POST", ADA, list, "Mcp-Session-Id", session).status).isEqualTo(404);
    assertThat(send("GET", ADA, "").status).isEqualTo(405);
  }

  @Test
  void anAnswerWithoutProgressIsOnePiece() throws Exception {
    Answer answer =
        send(
            "POST",
            ADA,
            message(2, "tools/call", "{\"name\":\"hello\",\"arguments\":{}}"),
            "Mcp-Session-Id",
            session(ADA));

    assertThat(answer.headers).containsEntry("Content-Type", "application/json");
    assertThat(answer.json().at("/result/content/0/text").stringValue()).isEqualTo("hello");
  }

  @Test
  void aBatchIsAnsweredInTheRevisionThatHasThem() throws Exception {
    String call = message(2, "tools/call", "{\"name\":\"hello\",\"arguments\":{}}");
    String batch =
        "[%s,{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"},%s,7,%s]"
            .formatted(call, message(3, "ping", "{}"), message(4, "initialize", "{}"));
    String old =
        send("POST", ADA, INITIALIZE.replace("2025-11-25", "2025-03-26"))
            .headers
            .get("Mcp-Session-Id");

    Answer answer = send("POST", ADA, batch, "Mcp-Session-Id", old);
    assertThat(answer.status).isEqualTo(200);
    assertThat(answer.json()).hasSize(4);
    assertThat(answer.json().at("/0/result/content/0/text").stringValue()).isEqualTo("hello");
    assertThat(answer.json().at("/1/id").asInt()).isEqualTo(3);
    assertThat(answer.json().at("/2/error/code").asInt()).isEqualTo(-32600);
    assertThat(answer.json().at("/3/error/message").asString())
        .contains("cannot be part of a batch");
    Answer quiet =
        send(
            "POST",
            ADA,
            "[{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}]",
            "Mcp-Session-Id",
            old);
    assertThat(quiet.status).isEqualTo(202);
    for (String bad : List.of("[]", "[", "[" + "7,".repeat(60) + "7]")) {
      assertThat(send("POST", ADA, bad, "Mcp-Session-Id", old).status).isEqualTo(400);
    }
    assertThat(send("POST", BOB, batch, "Mcp-Session-Id", old).status).isEqualTo(404);
    Answer now = send("POST", ADA, batch, "Mcp-Session-Id", session(ADA));
    assertThat(now.status).isEqualTo(400);
    assertThat(now.json().at("/error/message").asString()).contains("2025-11-25 has no batches");
  }

  @Test
  void eachCallIsATurnOfItsOwn() throws Exception {
    String session = session(ADA);
    String stateless =
        """
        {"name":"hello","arguments":{},"_meta":{
         "io.modelcontextprotocol/protocolVersion":"2026-07-28",
         "io.modelcontextprotocol/clientCapabilities":{}}}\
        """;
    for (int i = 2; i < 9; i++) {
      Answer first =
          send(
              "POST",
              ADA,
              message(i, "tools/call", "{\"name\":\"hello\",\"arguments\":{}}"),
              "Mcp-Session-Id",
              session);
      Answer second =
          send(
              "POST",
              ADA,
              message(i, "tools/call", stateless),
              "MCP-Protocol-Version",
              "2026-07-28",
              "Mcp-Method",
              "tools/call",
              "Mcp-Name",
              "hello");
      assertThat(List.of(first, second))
          .extracting(answer -> answer.json().at("/result/content/0/text").stringValue())
          .containsOnly("hello");
    }
  }

  @Test
  void whoMayNotApproveIsNotAsked() throws Exception {
    String call = message(2, "tools/call", "{\"name\":\"shell_rm\",\"arguments\":{}}");

    Answer chat = send("POST", ADA, call, "Mcp-Session-Id", session(ADA));
    assertThat(chat.json().at("/result/content/0/text").stringValue()).contains("approval_status");

    Answer operator = new Answer(1_000);
    String session = session(OPERATOR);
    Thread unused =
        Thread.startVirtualThread(() -> {
          try {
            send("POST", OPERATOR, call, operator, "Mcp-Session-Id", session);
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
    await().until(() -> operator.body.indexOf("elicitation/create") >= 0);
  }

  @Test
  void aStatelessClientThatIsGoneHasCancelled() throws Exception {
    String params =
        """
        {"name":"slow","arguments":{},"_meta":{"progressToken":1,
         "io.modelcontextprotocol/protocolVersion":"2026-07-28",
         "io.modelcontextprotocol/clientCapabilities":{}}}\
        """;

    Answer answer =
        send(
            "POST",
            ADA,
            0,
            message(2, "tools/call", params),
            "MCP-Protocol-Version",
            "2026-07-28",
            "Mcp-Method",
            "tools/call",
            "Mcp-Name",
            "slow");

    begun.await();
    cut.await();
    assertThat(answer.body).isEmpty();
  }

  @Test
  void headersSayWhatTheBodySays() throws Exception {
    String list =
        message(
            2,
            "tools/list",
            "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}}}");

    Answer fine =
        send("POST", ADA, list, "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/list");
    assertThat(fine.status).isEqualTo(200);
    Answer other =
        send("POST", ADA, list, "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call");
    assertThat(other.status).isEqualTo(400);
    assertThat(other.json().at("/error/code").intValue()).isEqualTo(-32020);
    Answer none = send("POST", ADA, list);
    assertThat(none.json().at("/error/code").intValue()).isEqualTo(-32020);
  }

  @Test
  void whatIsNotAMessageIsRefused() throws Exception {
    Answer wrong = send("POST", ADA, "{");
    assertThat(wrong.status).isEqualTo(400);
    assertThat(wrong.json().at("/error/code").intValue()).isEqualTo(-32700);
  }
}
