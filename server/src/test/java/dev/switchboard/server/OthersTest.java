package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.consent.Answer;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.state.Grant;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// What principals and processes may do to each other's conversations.
class OthersTest {
  private final List<String> ran = new CopyOnWriteArrayList<>();
  private final InProcessConversations store = new InProcessConversations();
  private final TestServer server =
      new TestServer(agent -> agent.store(store), TestServer.tool("local_run", ran));

  @AfterEach
  void close() {
    server.close();
  }

  private void create(TestServer.Client client, String text) {
    String body = "{\"id\":\"c1\"%s}".formatted(text.isEmpty() ? "" : ",\"text\":\"" + text + "\"");
    assertThat(client.post("/v1/agents/Desk/conversations", body).status()).isEqualTo(201);
  }

  private void createAndRun() {
    server.model.calls("local_run", "{\"n\":1}");
    create(server.zoe, "");
    server.zoe.say("c1", "Run it");
  }

  private static final String REQUEST = "/v1/approvals/c1%3Acall_1_1_1";

  @Test
  void reusedIdShowsNothingOfDeletedConversation() {
    server.model.says("Your PIN is 1234.").says("Hello.");
    create(server.zoe, "");
    server.zoe.say("c1", "My PIN?");
    // As `conversations delete` does, in a process beside the server.
    assertThat(store.delete("c1")).isTrue();
    assertThat(server.zoe.get("/v1/conversations/c1").status()).isEqualTo(404);

    create(server.yan, "");
    assertThat(server.yan.get("/v1/conversations/c1/events").text()).doesNotContain("PIN");
    assertThat(server.yan.say("c1", "Hi").toString()).contains("Hello.").doesNotContain("PIN");
    Iterator<String> stream = server.yan.stream("/v1/conversations/c1/events");
    StringBuilder told = new StringBuilder();
    while (!told.toString().contains("\"done\"")) {
      told.append(stream.next());
    }
    assertThat(told.toString()).doesNotContain("PIN");
    assertThat(server.zoe.get("/v1/conversations/c1").status()).isEqualTo(404);
  }

  @Test
  void answeredRequestsGoWithTheirConversation() {
    createAndRun();
    server.model.says("Done.");
    server.yan.post(REQUEST, "{\"decision\":\"deny\",\"reason\":\"a secret\"}");
    await().until(() -> server.live("c1").isRunning() == false);
    assertThat(server.zoe.get("/v1/approvals?status=answered").text()).contains("a secret");
    assertThat(server.zoe.delete("/v1/conversations/c1").status()).isEqualTo(204);
    create(server.yan, "");

    for (TestServer.Client client : List.of(server.zoe, server.yan, server.operator)) {
      assertThat(client.get("/v1/approvals?status=answered").json().path("items")).isEmpty();
    }
  }

  @Test
  void whoOnlyTalksApprovesNoMoreThanTheOneCall() {
    createAndRun();
    for (String lasting :
        List.of("{\"decision\":\"approve_always\"}", "{\"decision\":\"approve\",\"for\":\"1h\"}")) {
      assertThat(server.zoe.post(REQUEST, lasting).status()).isEqualTo(403);
    }
    String resume =
        """
        {"threadId":"c1","runId":"r1","messages":[],"resume":[{"interruptId":"c1:call_1_1_1",
         "status":"resolved","payload":{"approved":true,"always":true}}]}\
        """;
    assertThat(server.zoe.post("/agui/Desk", resume).text()).contains("RUN_ERROR", "forbidden");
    assertThat(ran).isEmpty();

    server.model.says("Done.");
    assertThat(server.yan.post(REQUEST, "{\"decision\":\"approve_always\"}").status())
        .isEqualTo(200);
    await().until(() -> ran.size() == 1);
    assertThat(store.agent().load().value().grants().all())
        .extracting(Grant::principal)
        .containsExactly("zoe");
  }

  @Test
  void anApproversLastingAnswerForAllHoldsForEveryPrincipal() {
    createAndRun();
    String forAll = "{\"decision\":\"approve_always\",\"for_all\":true}";
    assertThat(server.zoe.post(REQUEST, forAll).status()).isEqualTo(403);
    assertThat(server.yan.post(REQUEST, forAll.replace("_always", "")).status()).isEqualTo(400);
    assertThat(server.yan.post(REQUEST, forAll.replace("true", "1")).status()).isEqualTo(400);
    assertThat(ran).isEmpty();

    server.model.says("Done.");
    assertThat(server.yan.post(REQUEST, forAll).status()).isEqualTo(200);
    await().until(() -> ran.size() == 1);
    assertThat(store.agent().load().value().grants().all())
        .extracting(Grant::principal)
        .containsExactly((String) null);
  }

  @Test
  void anAnswerGivenInAnotherProcessIsContinued() {
    createAndRun();
    server.model.says("It ran.");
    ToolExecutor other = ToolExecutor.of(TestServer.tool("local_run", ran));
    try (ToolSession session = ToolSession.builder("c1").principal("zoe").store(store).build()) {
      assertThat(other.answer("call_1_1_1", Answer.approveOnce(), session)).isPresent();
    }

    await().until(() -> server.zoe.get("/v1/conversations/c1/events").text().contains("It ran."));
    JsonNode events = server.zoe.get("/v1/conversations/c1/events").json().path("items");
    assertThat(events.valueStream().map(one -> one.path("event").path("type").asString()))
        .contains("tool_result", "done");
    assertThat(ran).containsExactly("local_run{\"n\":1}");
  }

  @Test
  void whoAnswersIsNotToldWhatRunsElsewhere() {
    Iterator<String> notices = server.yan.stream("/v1/events");
    assertThat(notices.next()).isEqualTo(": keepalive");
    createAndRun();

    StringBuilder told = new StringBuilder();
    while (!told.toString().contains("\"approval\"")) {
      told.append(notices.next());
    }
    assertThat(told.toString()).doesNotContain("\"conversation\"");
  }

  @Test
  void createsConversationOncePerIdempotencyKey() {
    for (int i = 0; i < 3; i++) {
      String id =
          server
              .zoe
              .send(
                  server
                      .zoe
                      .request("/v1/agents/Desk/conversations")
                      .header("Idempotency-Key", "k1")
                      .POST(BodyPublishers.ofString("{}"))
                      .build())
              .json()
              .path("id")
              .asString();
      assertThat(id).hasSize(36);
    }
    String nothing = "{\"threadId\":\"t9\",\"runId\":\"r1\",\"messages\":[]}";
    assertThat(server.zoe.post("/agui/Desk", nothing).status()).isEqualTo(404);
    assertThat(server.zoe.get("/v1/conversations").json().path("items")).hasSize(1);
  }

  @Test
  void whatIsForeignTakesNoMoreRoomThanItMay() {
    String deep = "{\"metadata\":" + "{\"a\":".repeat(40) + "1" + "}".repeat(41);
    String long16 = "{\"metadata\":{\"a\":\"" + "x".repeat(17_000) + "\"}}";
    assertThat(server.zoe.post("/v1/agents/Desk/conversations", deep).status()).isEqualTo(400);
    assertThat(server.zoe.post("/v1/agents/Desk/conversations", long16).status()).isEqualTo(413);
    String login = "{\"token\":\"" + "x".repeat(5_000) + "\"}";
    assertThat(server.stranger.post("/v1/login", login).status()).isEqualTo(413);
  }
}
