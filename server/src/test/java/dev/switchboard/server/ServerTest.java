package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.agent.Prices;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.model.ModelReply;
import dev.switchboard.server.TestServer.Answer;
import dev.switchboard.state.LoopState;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ServerTest {
  private final List<String> ran = new CopyOnWriteArrayList<>();
  final TestServer server =
      start(
          agent -> agent.store(new InProcessConversations()),
          TestServer.tool("get_time", ran),
          TestServer.tool("local_run", ran));

  /// A server with these tools.
  TestServer start(UnaryOperator<AgentBuilder> more, Tool... tools) {
    return new TestServer(more, tools);
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void streamsATurnWithATool() {
    server.model.calls("get_time", "{\"n\":1}").says("It is noon.");
    String id = server.zoe.conversation();

    List<JsonNode> events = server.zoe.say(id, "What time is it?");

    assertThat(TestServer.types(events))
        .containsExactly(
            "conversation_started", "user", "tool_call", "tool_result", "content", "done");
    assertThat(ran).containsExactly("get_time{\"n\":1}");
    // The last event is told before the turn is over.
    JsonNode shown =
        await()
            .until(
                () -> server.zoe.get("/v1/conversations/" + id).json(),
                now -> now.path("status").asString().equals("idle"));
    assertThat(shown.path("lastEvent").asInt()).isEqualTo(6);
    assertThat(shown.path("metadata").path("case").asInt()).isEqualTo(4);
    assertThat(shown.path("offer").path("tools")).hasSize(2);
  }

  @Test
  void streamOutlastsTurnOfExpiredRequest() {
    try (TestServer other =
        start(
            agent -> agent.store(new InProcessConversations()).consentTimeout(Duration.ofMillis(1)),
            TestServer.tool("local_run", ran))) {
      other.model.calls("local_run", "{}").says("Too late.").says("Hello.");
      String id =
          other.zoe.post("/v1/agents/Desk/conversations", "{}").json().path("id").asString();
      other.zoe.say(id, "Run it");
      // The turn of the expired one may be about to end.
      List<JsonNode> events = await().until(() -> other.zoe.say(id, "Hi"), told -> !told.isEmpty());
      assertThat(TestServer.types(events)).endsWith("content", "done");
      assertThat(events.get(events.size() - 2).path("content").asString()).contains("Hello.");
    }
  }

  @Test
  void hidesWhatBelongsToOthers() {
    String id = server.zoe.conversation();

    assertThat(server.yan.get("/v1/conversations/" + id).status()).isEqualTo(404);
    assertThat(server.yan.post("/v1/conversations/" + id + "/turns", "{\"text\":\"a\"}").status())
        .isEqualTo(404);
    assertThat(server.operator.get("/v1/conversations/" + id).status()).isEqualTo(200);
    assertThat(server.yan.get("/v1/conversations").json().path("items")).isEmpty();
    assertThat(server.zoe.get("/v1/conversations").json().path("items")).hasSize(1);
    assertThat(server.yan.post("/v1/agents/Desk/conversations", "{\"id\":\"" + id + "\"}").status())
        .isEqualTo(404);
    assertThat(server.zoe.delete("/v1/conversations/" + id).status()).isEqualTo(204);
    assertThat(server.zoe.get("/v1/conversations/" + id).status()).isEqualTo(404);
  }

  @Test
  void listsInPages() {
    for (int i = 0; i < 5; i++) {
      server.zoe.conversation();
    }
    List<String> ids = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = server.zoe.get("/v1/conversations?limit=2&cursor=" + cursor).json();
      page.path("items").forEach(item -> ids.add(item.path("id").asString()));
      cursor = page.path("next").asString("");
    } while (!cursor.isEmpty());
    assertThat(ids).hasSize(5).doesNotHaveDuplicates();
  }

  @Test
  void cancelsATurnThatRuns() {
    server.model.blocks().and().says("never");
    String id = server.zoe.conversation();
    Answer begun = server.zoe.post("/v1/conversations/" + id + "/turns", "{\"text\":\"Go\"}");
    assertThat(begun.status()).isEqualTo(202);
    server.model.awaitRequests(1);
    assertThat(server.zoe.post("/v1/conversations/" + id + "/turns", "{\"text\":\"a\"}").status())
        .isEqualTo(409);
    assertThat(server.zoe.post("/v1/conversations/" + id + "/cancel", "").status()).isEqualTo(202);

    await()
        .until(() ->
            server
                .zoe
                .get("/v1/conversations/" + id + "/events?limit=99")
                .text()
                .contains("\"cancelled\""));
  }

  @Test
  void cancelsATurnThatWaits() {
    server.model.calls("local_run", "{\"n\":1}").says("Next.");
    String id = server.zoe.conversation();
    server.zoe.say(id, "Go");
    assertThat(server.zoe.post("/v1/conversations/" + id + "/cancel", "").status()).isEqualTo(202);

    String path = "/v1/conversations/" + id;
    await().until(() -> server.zoe.get(path + "/events?limit=99").text().contains("\"cancelled\""));
    List<JsonNode> log = new ArrayList<>();
    server
        .zoe
        .get(path + "/events?limit=99")
        .json()
        .path("items")
        .forEach(item -> log.add(item.path("event")));
    assertThat(TestServer.types(log))
        .endsWith("consent_request", "done", "consent_answer", "tool_result", "done");
    assertThat(log.getLast().toString()).contains("cancelled");
    assertThat(log.get(log.size() - 3).toString()).contains("\"by\":\"zoe\"");
    assertThat(server.zoe.get(path).json().path("waiting").asInt()).isZero();
    assertThat(server.zoe.post(path + "/cancel", "").status()).isEqualTo(202);
    assertThat(ran).isEmpty();
    assertThat(server.model.requests()).hasSize(1);
    assertThat(server.zoe.say(id, "Go on").toString()).contains("Next.");
  }

  @Test
  void countsATurnSentTwiceUnderOneKeyOnce() {
    server.model.says("Hello.");
    String id = server.zoe.conversation();
    for (int i = 0; i < 2; i++) {
      Answer answer =
          server.zoe.send(
              server
                  .zoe
                  .request("/v1/conversations/" + id + "/turns")
                  .header("Idempotency-Key", "k1")
                  .POST(BodyPublishers.ofString("{\"text\":\"Hi\"}"))
                  .build());
      assertThat(answer.status()).isEqualTo(202);
      await()
          .until(() ->
              server
                  .zoe
                  .get("/v1/conversations/" + id)
                  .json()
                  .path("status")
                  .asString()
                  .equals("idle"));
    }
    assertThat(server.zoe.get("/v1/conversations/" + id).json().path("turns").asInt()).isOne();
  }

  @Test
  void callsAToolByHandThroughTheSameDoor() {
    Answer answer =
        server.operator.post("/v1/agents/Desk/tools/get_time/calls", "{\"arguments\":{\"n\":3}}");
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    assertThat(answer.json().path("result").path("success").asBoolean()).isTrue();
    assertThat(ran).containsExactly("get_time{\"n\":3}");

    Answer bad =
        server.operator.post(
            "/v1/agents/Desk/tools/get_time/calls", "{\"arguments\":{\"n\":\"x\"}}");
    assertThat(bad.json().path("result").path("code").asString()).isEqualTo("invalid_arguments");
  }

  @Test
  void whoMayNotCallToolsMayTakeBackWhatACallDid() {
    Tool set =
        Tool.dynamic("set_light")
            .handler(arguments -> {
              ran.add("set" + arguments.text());
              return java.util.Map.of(
                  "undo",
                  java.util.Map.of(
                      "name", "set_light", "arguments", java.util.Map.of("on", false)));
            });
    try (TestServer other = start(agent -> agent.store(new InProcessConversations()), set)) {
      other.model.calls("set_light", "{\"on\":true}").says("It is on.");
      String id =
          other.zoe.post("/v1/agents/Desk/conversations", "{}").json().path("id").asString();
      other.zoe.say(id, "Light!");
      String path = "/v1/agents/Desk/tools/set_light/calls";
      String undo = "{\"arguments\":{\"on\":%s},\"conversation\":\"" + id + "\"}";

      assertThat(other.zoe.post(path, "{\"arguments\":{\"on\":false}}").status()).isEqualTo(403);
      assertThat(other.zoe.post(path, undo.formatted("true")).status()).isEqualTo(403);
      assertThat(ran).hasSize(1);
      assertThat(other.zoe.post(path, undo.formatted("false")).status()).isEqualTo(200);
      assertThat(other.zoe.post(path, undo.formatted("false")).status()).isEqualTo(403);
      assertThat(ran).containsExactly("set{\"on\":true}", "set{\"on\":false}");
      assertThat(other.yan.post(path, undo.formatted("false")).status()).isEqualTo(404);
    }
  }

  @Test
  void showsItsFiguresOnAPortOfTheirOwn() throws Exception {
    server.model.calls("get_time", "{}").says("Noon.");
    server.zoe.say(server.zoe.conversation(), "What time is it?");
    assertThat(figures())
        .contains(
            "switchboard_calls_seconds_count{agent=\"Desk\",code=\"ok\",tool=\"get_time\"} 1",
            "switchboard_turns_total{agent=\"Desk\",stop_reason=\"end_turn\"} 1",
            "switchboard_breaker_state{agent=\"Desk\",tool=\"get_time\"} 0",
            "switchboard_streams_open");
    assertThat(server.operator.get("/metrics").status()).isEqualTo(404);
  }

  @Test
  void showsWhatModelsUseAndCost() throws Exception {
    try (TestServer priced =
        new TestServer(agent ->
            agent
                .store(new InProcessConversations())
                .prices(Prices.NONE.with("scripted", Prices.Price.of(100, 1000))))) {
      priced.model.replies(
          new ModelReply(
              "Yes.",
              List.of(),
              ModelReply.FinishReason.STOP,
              new ModelReply.Usage(1000, 100, 400, 0, 60)));
      priced.zoe.say(priced.zoe.conversation(), "Is there a table?");
      assertThat(figures(priced))
          .contains(
              "switchboard_tokens_total{agent=\"Desk\",model=\"scripted\",type=\"input\"} 1000.0",
              "switchboard_tokens_total{agent=\"Desk\",model=\"scripted\",type=\"output\"} 100.0",
              "switchboard_tokens_total{agent=\"Desk\",model=\"scripted\",type=\"cache_read\"}"
                  + " 400.0",
              "switchboard_tokens_total{agent=\"Desk\",model=\"scripted\",type=\"reasoning\"} 60.0",
              "switchboard_cost_total{agent=\"Desk\",model=\"scripted\"} 0.2");
    }
  }

  String figures() throws java.io.IOException {
    return figures(server);
  }

  private static String figures(TestServer server) throws java.io.IOException {
    try (var in =
        java.net
            .URI
            .create("http://127.0.0.1:" + server.server.managementPort() + "/metrics")
            .toURL()
            .openStream()) {
      return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    }
  }

  @Test
  void isAliveAndReady() {
    assertThat(server.zoe.get("/livez").status()).isEqualTo(200);
    assertThat(server.zoe.get("/readyz").status()).isEqualTo(200);
  }

  @Test
  void aKeyCountsOnceForAllTimeAndForOneSentence() {
    int turns = LoopState.INPUTS + 5;
    for (int i = 0; i < turns; i++) {
      server.model.says("Yes.");
    }
    String id = server.zoe.conversation();
    Answer first = say(id, "k1", "Hi");
    await().until(() -> server.zoe.get("/v1/conversations/" + id).text().contains("\"idle\""));
    for (int i = 1; i < turns; i++) {
      List<JsonNode> unused = server.zoe.say(id, "more");
    }

    assertThat(say(id, "k1", "Hi").text()).isEqualTo(first.text());
    Answer other = say(id, "k1", "Hello");
    assertThat(other.status()).isEqualTo(409);
    assertThat(other.json().path("code").asString()).isEqualTo("id_used");
    assertThat(server.model.requests()).hasSize(turns);
  }

  private Answer say(String conversation, String key, String text) {
    return server.zoe.send(
        server
            .zoe
            .request("/v1/conversations/" + conversation + "/turns")
            .header("Idempotency-Key", key)
            .POST(BodyPublishers.ofString("{\"text\":\"" + text + "\"}"))
            .build());
  }
}
