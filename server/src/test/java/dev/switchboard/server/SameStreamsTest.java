package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.model.ModelException;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What clients of every dialect read is the same to the byte whoever runs the turns.
@Tag("slow")
class SameStreamsTest {
  private static final String[] DIALECTS = {"own", "agui", "aisdk", "openai"};

  private static Tool[] tools() {
    List<String> ran = new CopyOnWriteArrayList<>();
    return new Tool[] {TestServer.tool("get_time", ran), TestServer.tool("local_run", ran)};
  }

  /// The bytes but for moments.
  private static String timeless(String text) {
    return text.replaceAll("20\\d\\d-\\d\\d-\\d\\dT[0-9:.]+Z", "then")
        .replaceAll("\"created\":\\d+", "\"created\":0");
  }

  private static String say(TestServer server, String dialect, int number) {
    String id = "c-" + dialect;
    String key = "m" + number;
    String body =
        switch (dialect) {
          case "own" -> "{\"text\":\"Go\"}";
          case "agui" -> DialectRoutesTest.run(id, "r" + number, key);
          case "aisdk" ->
              """
              {"id":"%s","trigger":"submit-message","messages":[{"id":"%s","role":"user",\
              "parts":[{"type":"text","text":"Go"}]}]}\
              """
                  .formatted(id, key);
          default ->
              """
              {"model":"Desk","stream":true,"metadata":{"conversation":"%s"},\
              "messages":[{"role":"user","content":"Go"}]}\
              """
                  .formatted(id);
        };
    String path =
        switch (dialect) {
          case "own" -> "/v1/conversations/" + id + "/turns";
          case "agui" -> "/agui/Desk";
          case "aisdk" -> "/ai/Desk";
          default -> "/v1/chat/completions";
        };
    return server
        .zoe
        .send(
            server
                .zoe
                .request(path)
                .header("Accept", "text/event-stream")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(body))
                .build())
        .text();
  }

  /// Every dialect's streams of a turn with calls, of one that waits and goes on, and of one that
  /// fails, and its pages.
  private static List<String> told(TestServer server) {
    List<String> told = new ArrayList<>();
    for (String dialect : DIALECTS) {
      String id = "c-" + dialect;
      server.zoe.post("/v1/agents/Desk/conversations", "{\"id\":\"" + id + "\"}");
      server.model.calls("get_time", "{\"n\":1}").says("It is\nnoon.");
      told.add(say(server, dialect, 1));
      told.add(say(server, dialect, 1));
      server.model.calls("local_run", "{\"n\":\"x\"}").calls("local_run", "{\"n\":2}");
      told.add(say(server, dialect, 2));
      server.model.says("Denied.");
      String request = "/v1/approvals/" + id + ":call_2_2_1";
      assertThat(server.yan.post(request, "{\"decision\":\"deny\"}").status()).isEqualTo(200);
      String page = "/v1/conversations/" + id;
      await().until(() -> server.zoe.get(page).text().contains("\"idle\""));
      server.model.fails(ModelException.Kind.DENIED);
      told.add(say(server, dialect, 3));
      told.add(server.zoe.get(page + "/events?after=0").text());
    }
    for (String dialect : DIALECTS) {
      told.add(server.zoe.get("/ai/Desk/c-" + dialect + "/messages").text());
      await()
          .until(
              () -> server.zoe.get("/v1/conversations/c-" + dialect).text().contains("\"idle\""));
      told.add(server.zoe.get("/v1/conversations/c-" + dialect).text());
    }
    return told.stream().map(SameStreamsTest::timeless).toList();
  }

  @Test
  void inEveryDialect() {
    List<String> here;
    List<String> overWorkers;
    try (TestServer server =
        new TestServer(agent -> agent.store(new InProcessConversations()), tools())) {
      here = told(server);
    }
    try (TestServer server = TestServer.overWorkers(agent -> agent, tools())) {
      overWorkers = told(server);
    }
    assertThat(overWorkers).isEqualTo(here);
    assertThat(here).hasSize(7 * DIALECTS.length).allSatisfy(text -> assertThat(text).isNotEmpty());
  }
}
