package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.handler.Tool;
import dev.switchboard.server.TestServer.Answer;
import dev.switchboard.store.Storage;
import dev.switchboard.testing.ScriptedModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// What clients see of turns that no worker has begun, and that go on when there is one.
@SuppressWarnings("try") // workers are there to be closed
class WaitingTurnsTest {
  @TempDir private Path folder;

  private final ScriptedModel model = new ScriptedModel();
  private final List<String> ran = new CopyOnWriteArrayList<>();
  private final Tool[] tools = {
    TestServer.tool("get_time", ran), TestServer.tool("local_run", ran)
  };
  private Storage storage;
  private TestServer server;

  @BeforeEach
  void open() {
    storage = Storage.shared("sqlite:desk.db", folder);
    server = TestServer.on(storage, agent -> agent, tools);
  }

  @AfterEach
  void close() {
    server.close();
    storage.close();
  }

  private TestWorker worker() {
    return new TestWorker(storage, model, agent -> agent, tools);
  }

  private Answer say(String id, String key, String text) {
    return server.zoe.send(
        server
            .zoe
            .request("/v1/conversations/" + id + "/turns")
            .header("Idempotency-Key", key)
            .POST(java.net.http.HttpRequest.BodyPublishers.ofString("{\"text\":\"" + text + "\"}"))
            .build());
  }

  private String status(String id) {
    return server.zoe.get("/v1/conversations/" + id).json().path("status").asString();
  }

  private static FutureTask<Answer> started(java.util.concurrent.Callable<Answer> work) {
    FutureTask<Answer> task = new FutureTask<>(work);
    Thread.ofVirtual().start(task);
    return task;
  }

  private static List<String> rest(Iterator<String> lines) {
    List<String> all = new ArrayList<>();
    lines.forEachRemaining(all::add);
    return all;
  }

  @Test
  void aSentenceThatWaitsIsKnownAndKeepsOthersAway() {
    String id = server.zoe.conversation();
    Answer first = say(id, "k1", "Hi");
    assertThat(first.status()).isEqualTo(202);
    assertThat(status(id)).isEqualTo("running");

    assertThat(say(id, "k1", "Hi").text()).isEqualTo(first.text());
    Answer other = say(id, "k1", "Hello");
    assertThat(other.status()).isEqualTo(409);
    assertThat(other.json().path("code").asString()).isEqualTo("id_used");
    Answer busy = say(id, "k2", "And?");
    assertThat(busy.status()).isEqualTo(409);
    assertThat(busy.json().path("code").asString()).isEqualTo("conversation_busy");
    assertThat(
            server
                .operator
                .actingFor("zoe")
                .post("/v1/agents/Desk/tools/get_time/calls", "{\"conversation\":\"" + id + "\"}")
                .status())
        .isEqualTo(409);
    assertThat(server.zoe.get("/v1/conversations?status=running").json().path("items")).hasSize(1);

    model.says("Hello.");
    try (TestWorker unused = worker()) {
      await().until(() -> status(id).equals("idle"));
    }
    assertThat(say(id, "k1", "Hi").text()).isEqualTo(first.text());
    assertThat(say(id, "k1", "Hello").status()).isEqualTo(409);
    assertThat(model.requests()).hasSize(1);
  }

  @Test
  void streamsAreResumedInEveryDialectBeforeAWorkerBegins() throws Exception {
    model.says("One.");
    String ui =
        """
        {"id":"c1","trigger":"submit-message","messages":[{"id":"%s","role":"user",\
        "parts":[{"type":"text","text":"Hi"}]}]}\
        """;
    try (TestWorker unused = worker()) {
      assertThat(server.zoe.post("/ai/Desk", ui.formatted("m1")).text()).contains("One.");
    }
    assertThat(server.zoe.get("/ai/Desk/c1/stream").status()).isEqualTo(204);
    Iterator<String> left = server.zoe.stream("/v1/conversations/c1/events", "Last-Event-ID", "4");
    FutureTask<Answer> sent = started(() -> server.zoe.post("/ai/Desk", ui.formatted("m2")));
    await().until(() -> status("c1").equals("running"));

    FutureTask<Answer> again = started(() -> server.zoe.post("/ai/Desk", ui.formatted("m2")));
    FutureTask<Answer> resumed = started(() -> server.zoe.get("/ai/Desk/c1/stream"));
    FutureTask<Answer> joined =
        started(() -> server.zoe.post("/agui/Desk", DialectRoutesTest.run("c1", "r1", "m2")));
    await().until(() -> server.live("c1").feed().readers() == 5);
    model.says("Two.");
    try (TestWorker unused = worker()) {
      String told = sent.get().text();
      assertThat(told).contains("Two.", "\"messageId\":\"reply_m2\"").doesNotContain("One.");
      assertThat(data(again)).isEqualTo(data(sent));
      assertThat(data(resumed)).isEqualTo(data(sent));
      assertThat(joined.get().text()).contains("MESSAGES_SNAPSHOT", "One.", "Two.", "RUN_FINISHED");
    }
    while (!left.next().contains("Two.")) {
      assertThat(left.hasNext()).isTrue();
    }
  }

  private static List<JsonNode> data(FutureTask<Answer> answer) throws Exception {
    return TestServer.events(answer.get().text());
  }

  @Test
  void aRunOfAgUiThatWaitsIsKnownByItsName() throws Exception {
    String run = DialectRoutesTest.run("t1", "r1", "m1");
    FutureTask<Answer> first = started(() -> server.zoe.post("/agui/Desk", run));
    await().until(() -> server.zoe.get("/v1/conversations/t1").text().contains("\"running\""));
    FutureTask<Answer> again = started(() -> server.zoe.post("/agui/Desk", run));
    Answer other = server.zoe.post("/agui/Desk", DialectRoutesTest.run("t1", "r1", "m2"));
    assertThat(other.status()).isEqualTo(409);
    assertThat(other.json().path("code").asString()).isEqualTo("id_used");
    await().until(() -> server.live("t1").feed().readers() == 2);

    model.says("Hello.");
    try (TestWorker unused = worker()) {
      assertThat(data(first)).isEqualTo(data(again));
      assertThat(first.get().text()).contains("Hello.").doesNotContain("MESSAGES_SNAPSHOT");
    }
  }

  @Test
  void oneThatIsCancelledBeforeItBeginsEndsSo() {
    String id = server.zoe.conversation();
    say(id, "k1", "Hi");
    assertThat(server.zoe.post("/v1/conversations/" + id + "/cancel", "").status()).isEqualTo(202);
    try (TestWorker unused = worker()) {
      await().until(() -> status(id).equals("idle"));
    }
    String events = server.zoe.get("/v1/conversations/" + id + "/events").text();
    assertThat(events).contains("\"stopReason\":\"cancelled\"");
    assertThat(model.requests()).isEmpty();
  }

  @Test
  void oneThatIsDeletedIsGone() {
    String id = server.zoe.conversation();
    Iterator<String> stream = server.zoe.stream("/v1/conversations/" + id + "/events");
    say(id, "k1", "Hi");
    assertThat(server.zoe.delete("/v1/conversations/" + id).status()).isEqualTo(204);
    assertThat(rest(stream)).contains(": resume");
    try (TestWorker unused = worker()) {
      assertThat(server.zoe.get("/v1/conversations/" + id).status()).isEqualTo(404);
      assertThat(say(id, "k2", "Hi").status()).isEqualTo(404);
    }
    assertThat(server.agent.store().directory().conversations()).isEmpty();
  }

  @Test
  void aStreamEndsWhereItsTurnIsRefused() {
    model.calls("local_run", "{}");
    String id = server.zoe.conversation();
    server.agent.queue("zoe").submit(id, new dev.switchboard.loop.Input.Said("k0", "Run it"));
    // As from two servers at once.
    server.agent.queue("zoe").submit(id, new dev.switchboard.loop.Input.Said("key:k1", "Hi"));
    FutureTask<Answer> stream =
        started(() ->
            server.zoe.send(
                server
                    .zoe
                    .request("/v1/conversations/" + id + "/turns")
                    .header("Idempotency-Key", "k1")
                    .header("Accept", "text/event-stream")
                    .POST(java.net.http.HttpRequest.BodyPublishers.ofString("{\"text\":\"Hi\"}"))
                    .build()));
    await().until(() -> server.live(id).feed().isRead());
    try (TestWorker unused = worker()) {
      await().until(stream::isDone);
      assertThat(status(id)).isEqualTo("waiting");
      assertThat(server.zoe.get("/v1/conversations/" + id + "/events").text())
          .contains("Answer the request for consent to 'local_run' first.");
    }
  }

  @Test
  void aServerSaysWhatWaits() {
    String id = server.zoe.conversation();
    say(id, "k1", "Hi");
    assertThat(server.server.agents().named("Desk").due()).isOne();
    assertThat(server.zoe.get("/readyz").text()).isEqualTo("ok\n");
  }

  @Test
  void aRequestThatHasExpiredIsSoBeforeAWorkerSaysIt() {
    TestServer.Client zoe = server.zoe;
    model.calls("local_run", "{}");
    String id = zoe.conversation();
    try (TestWorker unused =
        new TestWorker(
            storage,
            model,
            agent -> agent.consentTimeout(java.time.Duration.ofMillis(150)),
            tools)) {
      zoe.say(id, "Run it");
    }
    String request = "/v1/approvals/" + id + ":call_1_1_1";
    await().until(() -> server.yan.get("/v1/approvals").json().path("items").isEmpty());
    Answer late = server.yan.post(request, "{\"decision\":\"approve\"}");
    assertThat(late.status()).as(late.text()).isEqualTo(410);
    assertThat(ran).isEmpty();
  }
}
