package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.server.TestServer.Answer;
import dev.switchboard.state.Selection;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.testing.StubWebhook;
import dev.switchboard.webhook.GuardedHttp;
import dev.switchboard.webhook.Secret;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// What waits for a person, and the answers.
class ApprovalRoutesTest {
  private final List<String> ran = new CopyOnWriteArrayList<>();
  private final TestServer server = start(TestServer.tool("local_run", ran));

  /// A server with these tools.
  TestServer start(Tool... tools) {
    return new TestServer(tools);
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void asksForApprovalAndGoesOnByIt() {
    server.model.calls("local_run", "{\"n\":1}").says("Done.");
    String id = server.zoe.conversation();

    List<JsonNode> events = server.zoe.say(id, "Run it");
    assertThat(TestServer.types(events)).endsWith("tool_call", "consent_request", "done");
    assertThat(ran).isEmpty();
    Answer busy = server.zoe.post("/v1/conversations/" + id + "/turns", "{\"text\":\"And?\"}");
    assertThat(busy.status()).isEqualTo(409);
    assertThat(busy.json().path("code").asString()).isEqualTo("consent_pending");

    assertThat(server.zoe.get("/v1/conversations?status=waiting").json().path("items")).hasSize(1);
    assertThat(server.zoe.get("/v1/conversations?status=idle").json().path("items")).isEmpty();
    assertThat(server.zoe.get("/v1/conversations?status=odd").status()).isEqualTo(400);
    JsonNode open = server.yan.get("/v1/approvals").json().path("items").path(0);
    String request = open.path("id").asString();
    assertThat(request).startsWith(id + ":");
    assertThat(open.path("schema").path("properties").has("n")).isTrue();
    Answer bad =
        server.yan.post(
            "/v1/approvals/" + request, "{\"decision\":\"approve\",\"arguments\":{\"n\":\"x\"}}");
    assertThat(bad.status()).isEqualTo(400);
    assertThat(bad.json().path("faults").path(0).path("pointer").asString()).isEqualTo("/n");
    Answer good =
        server.yan.post(
            "/v1/approvals/" + request, "{\"decision\":\"approve\",\"arguments\":{\"n\":7}}");
    assertThat(good.status()).as(good.text()).isEqualTo(200);
    assertThat(good.json().path("by").asString()).isEqualTo("yan");

    await()
        .until(() ->
            server
                .zoe
                .get("/v1/conversations/" + id)
                .json()
                .path("status")
                .asString()
                .equals("idle"));
    assertThat(ran).containsExactly("local_run{\"n\":7}");
    JsonNode answered =
        server.yan.get("/v1/approvals?status=answered").json().path("items").path(0);
    assertThat(answered.path("call").path("name").asString()).isEqualTo("local_run");
    assertThat(answered.path("answer").path("by").asString()).isEqualTo("yan");
    Answer same =
        server.yan.post(
            "/v1/approvals/" + request, "{\"decision\":\"approve\",\"arguments\":{\"n\":7}}");
    assertThat(same.status()).isEqualTo(200);
    Answer other = server.operator.post("/v1/approvals/" + request, "{\"decision\":\"deny\"}");
    assertThat(other.status()).isEqualTo(409);
    assertThat(other.json().path("code").asString()).isEqualTo("already_answered");
    assertThat(other.json().path("by").asString()).isEqualTo("yan");
  }

  @Test
  void answersWhatAHandlerAsksWhileItsCallRuns() {
    Tool asking =
        Tool.dynamic("get_secret")
            .handler((arguments, context) ->
                context.consent().ask("May I look?").agreed() ? "seen" : "not seen");
    try (TestServer other = new TestServer(asking)) {
      other.model.calls("get_secret", "{}").says("Done.");
      Answer begun = other.zoe.post("/v1/agents/Desk/conversations", "{\"text\":\"Look\"}");
      assertThat(begun.status()).isEqualTo(201);
      await().until(() -> !other.yan.get("/v1/approvals").json().path("items").isEmpty());
      JsonNode open = other.yan.get("/v1/approvals").json().path("items").path(0);
      assertThat(open.path("reason").asString()).isEqualTo("May I look?");
      Answer answer =
          other.yan.post(
              "/v1/approvals/" + open.path("id").asString(), "{\"decision\":\"approve\"}");
      assertThat(answer.status()).isEqualTo(200);
      String again = "/v1/approvals/" + open.path("id").asString();
      assertThat(other.yan.post(again, "{\"decision\":\"approve\"}").status()).isEqualTo(200);
      Answer late = other.operator.post(again, "{\"decision\":\"deny\"}");
      assertThat(late.status()).as(late.text()).isEqualTo(409);
      assertThat(late.json().path("code").asString()).isEqualTo("already_answered");
      assertThat(late.json().path("by").asString()).isEqualTo("yan");
      String id = begun.json().path("id").asString();
      await()
          .until(() ->
              other
                  .zoe
                  .get("/v1/conversations/" + id + "/events?limit=99")
                  .text()
                  .contains("Done."));
      assertThat(other.zoe.get("/v1/conversations/" + id + "/events?limit=99").text())
          .contains("\"seen\"");
      assertThat(other.yan.post(again, "{\"decision\":\"approve\"}").status()).isEqualTo(200);
      assertThat(other.operator.post(again, "{\"decision\":\"deny\"}").status()).isEqualTo(409);
      assertThat(other.yan.post(again + "x", "{\"decision\":\"approve\"}").status()).isEqualTo(404);
    }
  }

  @Test
  void tellsAWebServiceOfEachRequest() {
    try (StubWebhook service = StubWebhook.start().answer(200, "{}");
        TestServer other =
            new TestServer(
                agent -> agent.store(new InProcessConversations()),
                settings ->
                    settings.onPending(
                        URI.create(service.url("/pending")),
                        Secret.of("a secret for tests"),
                        GuardedHttp.allowing(service.hostAndPort())),
                TestServer.tool("local_run", ran))) {
      other.model.calls("local_run", "{\"n\":1}");
      other.zoe.post("/v1/agents/Desk/conversations", "{\"id\":\"c1\",\"text\":\"Run it\"}");

      StubRequest told = service.takeRequest(Duration.ofMinutes(5));
      assertThat(told.json().tree().path("arguments").path("id").asString()).startsWith("c1:");
      assertThat(told.header("webhook-signature")).startsWith("v1,");
    }
  }

  @Test
  void approverReadsOnlyTheLatestLines() {
    server.model.says("Hello.").calls("local_run", "{}");
    String id = server.zoe.conversation();
    server.zoe.say(id, "Hi");
    assertThat(server.yan.get("/v1/approvals/" + id + "%3Acall_1_1_1/lines").status())
        .isEqualTo(404);
    server.zoe.say(id, "Run it");

    String path = "/v1/approvals/" + id + "%3Acall_2_1_1/lines";
    JsonNode lines = server.yan.get(path).json().path("items");
    assertThat(lines.valueStream().map(one -> one.path("event")))
        .extracting(
            event -> event.path("content").asString(event.path("payload").path("text").asString()))
        .containsExactly("Hi", "Hello.", "Run it");
    assertThat(server.yan.get("/v1/conversations/" + id).status()).isEqualTo(404);
    assertThat(server.stranger.get(path).status()).isEqualTo(401);
    assertThat(server.zoe.get(path).status()).isEqualTo(200);
  }

  @Test
  void theInboxComesInPages() {
    List<String> asked = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      server.model.calls("local_run", "{}");
      String id = server.zoe.conversation();
      server.zoe.say(id, "Run it");
      asked.add(id);
    }
    assertThat(pages("pending")).containsExactlyInAnyOrderElementsOf(asked);
    for (String id : asked) {
      server.model.says("No.");
      String path = "/v1/approvals/" + id + "%3Acall_1_1_1";
      assertThat(server.yan.post(path, "{\"decision\":\"deny\"}").status()).isEqualTo(200);
    }
    assertThat(pages("pending")).isEmpty();
    // A server over workers hears of an answer a moment later.
    await()
        .untilAsserted(
            () -> assertThat(pages("answered")).containsExactlyInAnyOrderElementsOf(asked));
  }

  @Test
  void aPageOfTheInboxAsksOnceWhoseItsConversationsAre() {
    List<String> reads = new CopyOnWriteArrayList<>();
    InProcessConversations kept = new InProcessConversations();
    Tool tool = TestServer.tool("local_run", ran);
    List<String> asked = new ArrayList<>();
    try (TestServer before = new TestServer(agent -> agent.store(kept), tool)) {
      for (TestServer.Client client : List.of(before.zoe, before.zoe, before.yan)) {
        before.model.calls("local_run", "{}");
        asked.add(client.conversation());
        client.say(asked.getLast(), "Run it");
      }
    }
    try (TestServer later =
        new TestServer(
            agent ->
                agent.store(TestServer.watched(kept, (method, arguments) -> reads.add(method))),
            tool)) {
      JsonNode items = later.yan.get("/v1/approvals").json().path("items");
      assertThat(items.valueStream().map(one -> one.path("principal").asString()))
          .containsExactlyInAnyOrder("zoe", "zoe", "yan");
      assertThat(later.zoe.get("/v1/approvals").json().path("items").valueStream())
          .extracting(one -> one.path("conversation").asString())
          .containsExactlyInAnyOrder(asked.get(0), asked.get(1));
      assertThat(reads).filteredOn("principals"::equals).hasSize(2);
      assertThat(reads).doesNotContain("conversation");
    }
  }

  @Test
  void aPageOfTheInboxAsksForNoMoreThanItShows() {
    List<Object> selections = new CopyOnWriteArrayList<>();
    Tool tool = TestServer.tool("local_run", ran);
    try (TestServer other =
        new TestServer(
            agent ->
                agent.store(
                    TestServer.watched(
                        new InProcessConversations(),
                        (method, arguments) -> {
                          if (method.equals("waiting")) {
                            selections.add(arguments == null ? "all" : arguments[0]);
                          }
                        })),
            tool)) {
      other.model.calls("local_run", "{}");
      other.zoe.say(other.zoe.conversation(), "Run it");
      selections.clear();
      assertThat(other.zoe.get("/v1/approvals?limit=3").json().path("items")).hasSize(1);
      assertThat(other.yan.get("/v1/approvals?limit=2").json().path("items")).hasSize(1);
    }
    assertThat(selections)
        .extracting(one -> ((Selection) one).principal() + " " + ((Selection) one).most())
        .containsExactly("zoe 3", "null 2");
    assertThat(selections).allMatch(one -> ((Selection) one).before() != null);
  }

  @Test
  void pagesOfOneStatusSkipOtherConversations() {
    List<String> idle = new ArrayList<>();
    List<String> asked = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      idle.addFirst(server.zoe.conversation());
      server.model.calls("local_run", "{\"n\":1}");
      asked.addFirst(server.zoe.conversation());
      server.zoe.say(asked.getFirst(), "Run it");
    }
    String conversations = "/v1/conversations?principal=zoe";
    assertThat(pages(server.operator, conversations + "&limit=1&status=idle", "id"))
        .isEqualTo(idle);
    assertThat(pages(server.operator, conversations + "&limit=2&status=waiting", "id"))
        .isEqualTo(asked);
    assertThat(pages(server.operator, conversations + "&limit=4", "id")).hasSize(6);
    assertThat(pages(server.operator, conversations + "&status=set_aside", "id")).isEmpty();
  }

  private List<String> pages(String status) {
    return pages(server.yan, "/v1/approvals?limit=2&status=" + status, "conversation");
  }

  private static List<String> pages(TestServer.Client client, String list, String member) {
    List<String> conversations = new ArrayList<>();
    String next = "";
    do {
      JsonNode page = client.get(list + "&cursor=" + next).json();
      page.path("items").forEach(one -> conversations.add(one.path(member).asString()));
      next = page.path("next").asString("");
    } while (!next.isEmpty());
    return conversations;
  }
}
