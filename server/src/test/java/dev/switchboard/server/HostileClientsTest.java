package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.server.TestServer.Answer;
import dev.switchboard.server.TestServer.Client;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What clients with a token try, and what they get: rows of the request and the status.
@TestInstance(Lifecycle.PER_CLASS)
class HostileClientsTest {
  /// Ends of lines of all kinds, frames of a stream, markup, halves of pairs.
  private static final String INJECTION =
      "</script><script>alert(1)</script>\r\n\r\ndata: [DONE]\n\nid: 99\nevent: error\r"
          + "retry: 1\u0085\u2028\u2029\u0000\u001b[2J";

  private TestServer server;

  @BeforeAll
  void begin() {
    server =
        new TestServer(
            agent -> agent.store(new dev.switchboard.execution.InProcessConversations()),
            set -> set.rate(100_000, 100_000),
            Tool.dynamic(
                    "get_time",
                    """
                    {"type":"object","properties":{"n":{"type":"integer"},"s":{"type":"string"}}}\
                    """)
                .handler((arguments, context) -> {
                  context.progress(INJECTION);
                  return INJECTION;
                }),
            Tool.dynamic("local_run").handler(arguments -> "ran"));
    for (Client each : List.of(server.zoe, server.yan)) {
      String id = each.equals(server.zoe) ? "mine" : "theirs";
      each.post("/v1/agents/Desk/conversations", Json.of(Map.of("id", id)).text());
    }
    server.model.calls("c1", "local_run", "{}");
    server.zoe.say("mine", "Run it");
  }

  @AfterAll
  void end() {
    server.close();
  }

  private Answer send(Client client, String method, String path, String body) {
    return client.send(client.request(path).method(method, BodyPublishers.ofString(body)).build());
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @HostileRows("Forged requests, and requests for others' conversations")
  void answersForgedAndForeign(String request, int status, String code) {
    String[] words = request.split(" ", 2);
    Answer answer = send(server.zoe, words[0], words[1], "");
    assertThat(answer.status()).as(answer.text()).isEqualTo(status);
    assertThat(answer.json().path("code").asString()).isEqualTo(code);
  }

  @ParameterizedTest(name = "POST {0} {1} -> {2}")
  @HostileRows("Hostile bodies")
  void answersBodiesThatAskForTooMuch(String path, String body, int status) {
    Answer answer = send(server.zoe, "POST", path, body);
    assertThat(answer.status()).as(answer.text()).isEqualTo(status);
  }

  /// Bodies that no route takes.
  static List<String> broken() {
    return List.of(
        "",
        "{",
        "[]",
        "null",
        "7",
        "\"text\"",
        "{\"text\":\"a\",\"text\":\"b\"}",
        "{\"text\":NaN}",
        "{\"\\u0000\":1}",
        "[".repeat(100_000),
        "{\"a\":".repeat(5_000),
        "{\"text\":\"" + "x".repeat(1_000_000) + "\"}",
        "{\"n\":" + "9".repeat(100_000) + "}",
        "{\"unknown\":true}",
        "\u0000\u0001\u0002",
        "<xml/>");
  }

  @ParameterizedTest
  @MethodSource("broken")
  void neverFailsOnABrokenBody(String body) {
    for (Client client : List.of(server.zoe, server.operator)) {
      for (String path :
          List.of(
              "/v1/agents/Desk/conversations",
              "/v1/conversations/mine/turns",
              "/v1/approvals",
              "/v1/approvals/mine:call_1_1_1",
              "/v1/agents/Desk/tools/get_time/calls",
              "/v1/agents/Desk/blocks/none/undo",
              "/v1/login",
              "/v1/logout",
              "/agui/Desk",
              "/ai/Desk",
              "/v1/chat/completions")) {
        try {
          Answer answer = send(client, "POST", path, body);
          assertThat(answer.status()).as(path + " " + answer.text()).isLessThan(500);
          assertThat(answer.text()).doesNotContain("Exception").doesNotContain("dev.switchboard");
        } catch (UncheckedIOException e) {
          // A large body that is not read is cut off behind the answer.
          assertThat(body.length()).as(path).isGreaterThan(50_000);
        }
      }
      assertThat(send(client, "PUT", "/v1/agents/Desk/blocks/none", body).status()).isLessThan(500);
    }
  }

  @Test
  void takesNoCursorOfAnotherTime() {
    for (String text : List.of(Long.MAX_VALUE + " x", Long.MIN_VALUE + " x", "1 " + INJECTION)) {
      String cursor =
          Base64.getUrlEncoder()
              .withoutPadding()
              .encodeToString(text.getBytes(StandardCharsets.UTF_8));
      assertThat(server.zoe.get("/v1/conversations?cursor=" + cursor).status()).isIn(200, 400);
    }
  }

  @Test
  void refusesKeysAndIdsThatAreTooLong() {
    String path = "/v1/conversations/mine/turns";
    assertThat(
            server
                .zoe
                .send(
                    server
                        .zoe
                        .request(path)
                        .header("Idempotency-Key", "k".repeat(201))
                        .POST(BodyPublishers.ofString("{\"text\":\"Hi\"}"))
                        .build())
                .status())
        .isEqualTo(400);
    assertThat(server.zoe.get("/v1/conversations/" + "x".repeat(129)).status()).isEqualTo(404);
    assertThat(server.zoe.get("/v1/conversations/" + "x".repeat(9_000)).status()).isEqualTo(414);
    assertThat(
            server
                .zoe
                .post("/v1/agents/Desk/conversations", "{\"id\":\"" + "x".repeat(129) + "\"}")
                .status())
        .isEqualTo(400);
  }

  /// What the user says, what the tool is asked and answers, and what the model says.
  private void script() {
    server
        .model
        .calls("get_time", Json.of(Map.of("s", INJECTION)).text())
        .says(INJECTION, INJECTION);
  }

  @Test
  void noTextEndsAFrameOfAnyDialect() {
    String said = Json.of(INJECTION).text();
    List<String[]> dialects =
        List.of(
            new String[] {"/v1/conversations/own/turns", "{\"text\":" + said + "}"},
            new String[] {
              "/agui/Desk",
              "{\"threadId\":\"own1\",\"runId\":\"r\\n\\ndata: x\",\"messages\":[{\"id\":\"m\","
                  + "\"role\":\"user\",\"content\":"
                  + said
                  + "}],\"tools\":[],\"context\":[]}"
            },
            new String[] {
              "/ai/Desk",
              "{\"id\":\"own2\",\"messages\":[{\"id\":\"m\",\"role\":\"user\",\"parts\":"
                  + "[{\"type\":\"text\",\"text\":"
                  + said
                  + "}]}],\"trigger\":\"submit-message\"}"
            },
            new String[] {
              "/v1/chat/completions",
              "{\"model\":\"Desk\",\"stream\":true,\"metadata\":{\"conversation\":\"own3\"},"
                  + "\"messages\":[{\"role\":\"user\",\"content\":"
                  + said
                  + "}]}"
            });
    server.zoe.post("/v1/agents/Desk/conversations", "{\"id\":\"own\"}");
    for (String[] dialect : dialects) {
      script();
      Answer answer =
          server.zoe.send(
              server
                  .zoe
                  .request(dialect[0])
                  .header("Accept", "text/event-stream")
                  .POST(BodyPublishers.ofString(dialect[1]))
                  .build());
      if (dialect[0].startsWith("/agui") && answer.status() == 400) {
        // Its own id may not hold the end of a line.
        answer =
            server.zoe.send(
                server
                    .zoe
                    .request(dialect[0])
                    .header("Accept", "text/event-stream")
                    .POST(BodyPublishers.ofString(dialect[1].replace("r\\n\\ndata: x", "r1")))
                    .build());
      }
      assertThat(answer.status()).as(answer.text()).isEqualTo(200);
      checkFrames(dialect[0], answer.text());
    }
  }

  /// Each line is a comment, an id that is a number, one object, or the end.
  private static void checkFrames(String dialect, String stream) {
    List<String> strange = new ArrayList<>();
    for (String line : stream.split("[\\r\\n\\u0085\\u2028\\u2029]", -1)) {
      boolean isObject = line.startsWith("data: {") && isJson(line.substring(6));
      if (!isObject && !line.matches("|: [a-z]+|id: [0-9]+|data: \\[DONE\\]")) {
        strange.add(line);
      }
    }
    assertThat(strange).as(dialect).isEmpty();
    assertThat(stream.split("\\[DONE\\]\n", -1)).as(dialect).hasSizeLessThanOrEqualTo(2);
    assertThat(stream).doesNotContain("\r");
  }

  private static boolean isJson(String text) {
    try {
      return Json.text(text).tree().isObject();
    } catch (RuntimeException e) {
      return false;
    }
  }
}
