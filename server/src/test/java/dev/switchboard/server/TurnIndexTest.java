package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.execution.ConversationStore;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.server.TestServer.Answer;
import dev.switchboard.server.TestServer.Client;
import dev.switchboard.store.Storage;
import dev.switchboard.testing.ScriptedModel;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// What a client may rely on when it begins a turn: that it is stored, that it counts once, and
/// that its stream ends.
class TurnIndexTest {
  final TestServer server = start(tool());

  /// A server with these tools.
  TestServer start(Tool... tools) {
    return new TestServer(tools);
  }

  private static Tool tool() {
    return Tool.dynamic("get_time").handler(arguments -> "noon");
  }

  @AfterEach
  void close() {
    server.close();
  }

  static String conversation(Client client) {
    return client.post("/v1/agents/Desk/conversations", "").json().path("id").asString();
  }

  static Answer say(Client client, String id, String key, boolean streamed) {
    return client.send(
        client
            .request("/v1/conversations/" + id + "/turns")
            .header("Idempotency-Key", key)
            .header("Accept", streamed ? "text/event-stream" : "application/json")
            .POST(BodyPublishers.ofString("{\"text\":\"Hi\"}"))
            .build());
  }

  private static boolean isIdle(Client client, String id) {
    return client.get("/v1/conversations/" + id).json().path("status").asString().equals("idle");
  }

  @Test
  void acknowledgesATurnOnceItIsStored() {
    for (int i = 0; i < 10; i++) {
      server.model.says("Hello.");
      String id = conversation(server.zoe);
      assertThat(say(server.zoe, id, "k", false).status()).isEqualTo(202);
      ConversationStore store = server.agent.store();
      assertThat(store.lines(id, 10).getFirst().entry().text()).contains("Hi");
      await().until(() -> isIdle(server.zoe, id));
    }
  }

  @Test
  void takesATurnRightAfterTheConversationWasCreated() {
    for (int i = 0; i < 20; i++) {
      server.model.says("Hello.");
      String id = conversation(server.zoe);
      assertThat(say(server.zoe, id, "k", true).status()).isEqualTo(200);
    }
  }

  @Test
  void streamsATurnThatIsSentAgain() {
    server.model.says("Hello.").calls("get_time", "{}").says("Noon.").says("Later.");
    String id = conversation(server.zoe);
    say(server.zoe, id, "k1", true);
    String second = say(server.zoe, id, "k2", true).text();
    say(server.zoe, id, "k3", true);

    assertThat(say(server.zoe, id, "k2", true).text()).isEqualTo(second).endsWith("[DONE]\n\n");
    JsonNode again = say(server.zoe, id, "k2", false).json();
    assertThat(again.path("after").asInt()).isEqualTo(4);
    assertThat(server.model.requests()).hasSize(4);
  }

  @Test
  void joinsATurnThatIsSentAgainWhileItRuns() {
    server.model.blocks().and().says("Noon.");
    String id = conversation(server.zoe);
    Answer first = say(server.zoe, id, "k1", false);
    assertThat(say(server.zoe, id, "k1", false).text()).isEqualTo(first.text());
    assertThat(say(server.zoe, id, "k2", false).status()).isEqualTo(409);
    server.model.awaitRequests(1);
    server.model.release();
    assertThat(say(server.zoe, id, "k1", true).text()).contains("Noon.").endsWith("[DONE]\n\n");
    assertThat(server.model.requests()).hasSize(1);
  }

  @Test
  void endsStreamOfBrokenTurnSoThatClientsResume() {
    server.model.answers(request -> {
      throw new AssertionError("a fault of the model's class");
    });
    server.model.says("Better.");
    String id = conversation(server.zoe);

    String broken = say(server.zoe, id, "k1", true).text();
    assertThat(broken).endsWith(": resume\n\n").doesNotContain("[DONE]");
    // Tried again by itself.
    await().until(() -> say(server.zoe, id, "k1", true).text().contains("Better."));
  }

  @Test
  void answersACompletionWhoseTurnBrokeOff() {
    server.model.answers(request -> {
      throw new AssertionError("a fault of the model's class");
    });
    String body =
        "{\"model\":\"Desk\",\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}],\"stream\":%s}";
    Answer whole = server.zoe.post("/v1/chat/completions", body.formatted(false));
    assertThat(whole.status()).isEqualTo(503);
    assertThat(server.zoe.post("/v1/chat/completions", body.formatted(true)).status())
        .isEqualTo(503);
  }

  @Test
  void deletesAConversationWhoseTurnRuns() {
    server.model.blocks().and().says("never");
    String id = conversation(server.zoe);
    Iterator<String> stream = server.zoe.stream("/v1/conversations/" + id + "/events");
    say(server.zoe, id, "k1", false);
    server.model.awaitRequests(1);
    assertThat(server.zoe.delete("/v1/conversations/" + id).status()).isEqualTo(204);
    List<String> lines = new ArrayList<>();
    stream.forEachRemaining(lines::add);
    assertThat(lines).contains(": resume");
    assertThat(say(server.zoe, id, "k2", false).status()).isEqualTo(404);
    assertThat(server.zoe.get("/v1/conversations/" + id).status()).isEqualTo(404);
  }

  /// One conversation whose state is damaged.
  @Test
  void goesOnWithOthersWhereOneCannotBeRead(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("desk.db");
    ScriptedModel before = new ScriptedModel();
    try (TestServer first = onFile(file, before)) {
      for (String id : List.of("a", "b")) {
        before.calls("local_run", "{}");
        first.zoe.post("/v1/agents/Desk/conversations", Json.of(Map.of("id", id)).text());
        assertThat(say(first.zoe, id, "k", true).text()).contains("consent_request");
      }
    }
    try (var connection = java.sql.DriverManager.getConnection("jdbc:sqlite:" + file);
        var statement = connection.createStatement()) {
      statement.executeUpdate(
          "UPDATE conversation SET state = '{\"damaged\":', due = 0 WHERE id = 'a'");
      statement.executeUpdate("UPDATE conversation SET due = 1 WHERE id = 'b'");
      statement.executeUpdate(
          "UPDATE conversation SET state = replace(state, '\"expiresAt\":\"20',"
              + " '\"expiresAt\":\"19') WHERE id = 'b'");
    }
    ScriptedModel model = new ScriptedModel().says("It was not allowed in time.");
    try (TestServer second = onFile(file, model)) {
      await()
          .until(() -> second.agent.store().events("b", 0, 100).toString().contains("not allowed"));
    }
  }

  private static TestServer onFile(Path file, ScriptedModel model) {
    return new TestServer(
        agent -> agent.store(Storage.sqlite(file, "Desk")).model(model),
        Tool.dynamic("local_run").handler(arguments -> "ran"));
  }
}
