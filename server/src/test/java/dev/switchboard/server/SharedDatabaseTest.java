package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.handler.Tool;
import dev.switchboard.store.Storage;
import dev.switchboard.testing.ScriptedModel;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Two servers and two workers, each with connections of its own, over one PostgreSQL database:
/// what clients read does not tell which machine does what, nor that one has gone.
@Tag("slow")
class SharedDatabaseTest {
  private static EmbeddedPostgres database;
  private static int places;

  private final ScriptedModel model = new ScriptedModel();
  private final List<String> ran = new CopyOnWriteArrayList<>();
  private final CountDownLatch go = new CountDownLatch(1);
  private final CountDownLatch came = new CountDownLatch(1);
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final Tool[] tools = {
    TestServer.tool("get_time", ran),
    TestServer.tool("local_run", ran),
    TestServer.tool("get_slow").handler(this::slow)
  };
  private String url;
  private TestServer one;
  private TestServer other;

  @BeforeAll
  static void start() throws Exception {
    database = EmbeddedPostgres.builder().setServerConfig("fsync", "off").start();
  }

  @AfterAll
  static void stop() throws Exception {
    database.close();
  }

  @BeforeEach
  void open() throws Exception {
    String schema = "place" + ++places;
    try (var connection = database.getPostgresDatabase().getConnection();
        var statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA " + schema);
    }
    url =
        "postgresql://postgres:secret@localhost:%d/postgres?currentSchema=%s"
            .formatted(database.getPort(), schema);
    one = server();
    other = server();
  }

  @AfterEach
  void close() throws Exception {
    go.countDown();
    for (AutoCloseable each : opened) {
      each.close();
    }
  }

  private Storage storage() {
    Storage storage = Storage.shared(url, Path.of("."));
    opened.push(storage);
    return storage;
  }

  private TestServer server() {
    TestServer server = TestServer.on(storage(), agent -> agent, tools);
    opened.push(server);
    return server;
  }

  private TestWorker worker(Storage storage) {
    TestWorker worker = new TestWorker(storage, model, agent -> agent, tools);
    opened.push(worker);
    return worker;
  }

  private Object slow(Object arguments) throws InterruptedException {
    came.countDown();
    go.await();
    ran.add("slow");
    return "slow done";
  }

  private static FutureTask<String> turn(TestServer server, String id, String text) {
    FutureTask<String> stream =
        new FutureTask<>(() ->
            server
                .zoe
                .send(
                    server
                        .zoe
                        .request("/v1/conversations/" + id + "/turns")
                        .header("Accept", "text/event-stream")
                        .POST(BodyPublishers.ofString("{\"text\":\"" + text + "\"}"))
                        .build())
                .text());
    Thread.ofVirtual().start(stream);
    return stream;
  }

  /// The frames of a stream up to the end of a turn.
  private static List<String> untilDone(Iterator<String> lines) {
    List<String> frames = new ArrayList<>();
    while (frames.isEmpty() || !frames.getLast().contains("\"stopReason\"")) {
      String line = lines.next();
      if (line.startsWith("id: ") || line.startsWith("data: ")) {
        frames.add(line);
      }
    }
    return frames;
  }

  private static List<String> frames(String text) {
    return text.lines()
        .filter(line -> line.startsWith("id: ") || line.startsWith("data: {"))
        .toList();
  }

  private static void checkWithoutGaps(List<String> frames) {
    List<String> ids = frames.stream().filter(line -> line.startsWith("id: ")).toList();
    assertThat(ids)
        .isEqualTo(IntStream.rangeClosed(1, ids.size()).mapToObj(i -> "id: " + i).toList());
  }

  private static String status(TestServer server, String id) {
    return server.zoe.get("/v1/conversations/" + id).json().path("status").asString();
  }

  @Test
  void bothServersTellTheSameOfATurn() throws Exception {
    worker(storage());
    worker(storage());
    model.calls("get_slow", "{}").says("It is noon.");
    String id = one.zoe.conversation();
    Iterator<String> elsewhere = other.zoe.stream("/v1/conversations/" + id + "/events");
    FutureTask<String> told = turn(one, id, "What time is it?");
    came.await();
    assertThat(status(one, id)).isEqualTo("running");
    assertThat(status(other, id)).isEqualTo("running");
    assertThat(other.zoe.get("/v1/conversations?status=running").json().path("items")).hasSize(1);
    assertThat(other.zoe.post("/v1/conversations/" + id + "/turns", "{\"text\":\"a\"}").status())
        .isEqualTo(409);
    FutureTask<String> joined =
        new FutureTask<>(() -> other.zoe.get("/ai/Desk/" + id + "/stream").text());
    Thread.ofVirtual().start(joined);
    await().until(() -> other.live(id).feed().readers() == 2);
    go.countDown();

    List<String> frames = frames(told.get());
    checkWithoutGaps(frames);
    assertThat(untilDone(elsewhere)).isEqualTo(frames);
    assertThat(joined.get()).contains("It is noon.").endsWith("data: [DONE]\n\n");
    await().until(() -> status(other, id).equals("idle"));
    assertThat(other.zoe.get("/v1/conversations/" + id).json())
        .isEqualTo(one.zoe.get("/v1/conversations/" + id).json());
    assertThat(ran).containsExactly("slow");
  }

  @Test
  void whatOneServerAsksIsAnsweredAtTheOther() throws Exception {
    worker(storage());
    model.calls("local_run", "{}").says("It ran.").says("Well.");
    Iterator<String> notices = other.operator.stream("/v1/events");
    assertThat(notices.next()).isEqualTo(": keepalive");
    String id = one.zoe.conversation();
    assertThat(turn(one, id, "Run it").get()).contains("consent_pending");
    Iterator<String> events = one.zoe.stream("/v1/conversations/" + id + "/events");
    String request =
        other.yan.get("/v1/approvals").json().path("items").path(0).path("id").asString();
    StringBuilder noticed = new StringBuilder();
    while (!noticed.toString().contains(request)) {
      noticed.append(notices.next());
    }
    assertThat(other.yan.post("/v1/approvals/" + request, "{\"decision\":\"approve\"}").status())
        .isEqualTo(200);

    List<String> frames = new ArrayList<>(untilDone(events));
    frames.addAll(untilDone(events));
    checkWithoutGaps(frames);
    assertThat(frames.toString()).contains("It ran.");
    await().until(() -> status(one, id).equals("idle"));
    assertThat(ran).hasSize(1);
    for (TestServer server : List.of(one, other)) {
      await().until(() -> server.yan.get("/v1/approvals?status=answered").text().contains(request));
    }
    assertThat(one.yan.post("/v1/approvals/" + request, "{\"decision\":\"deny\"}").status())
        .isEqualTo(409);
    assertThat(turn(other, id, "And?").get()).contains("Well.");
  }

  @Test
  void aTurnIsCancelledFromAServerThatDoesNotRunIt() throws Exception {
    worker(storage());
    model.blocks().and().says("never");
    String id = one.zoe.conversation();
    FutureTask<String> told = turn(one, id, "Go");
    model.awaitRequests(1);
    assertThat(other.zoe.post("/v1/conversations/" + id + "/cancel", "").status()).isEqualTo(202);
    assertThat(told.get()).contains("\"cancelled\"").endsWith("data: [DONE]\n\n");
    assertThat(other.zoe.delete("/v1/conversations/" + id).status()).isEqualTo(204);
    assertThat(one.zoe.get("/v1/conversations/" + id).status()).isEqualTo(404);
  }

  @Test
  void aWorkerThatEndsHandsItsTurnOverAndNoClientSeesThat() throws Exception {
    TestWorker first = worker(storage());
    model.calls("get_slow", "{}").calls("get_time", "{}").says("Done.");
    String id = one.zoe.conversation();
    Iterator<String> elsewhere = other.zoe.stream("/v1/conversations/" + id + "/events");
    FutureTask<String> told = turn(one, id, "Go");
    came.await();
    worker(storage());
    Thread ending = Thread.ofVirtual().start(first::close);
    go.countDown();
    ending.join();

    String text = told.get();
    List<String> frames = frames(text);
    assertThat(text).contains("Done.").endsWith("data: [DONE]\n\n");
    checkWithoutGaps(frames);
    assertThat(untilDone(elsewhere)).isEqualTo(frames);
    assertThat(ran).containsExactly("slow", "get_time{}");
  }

  @Test
  void continuesTurnOfWorkerThatLostTheDatabase() throws Exception {
    Storage lost = Storage.shared(url, Path.of("."));
    TestWorker first = worker(lost);
    model.calls("get_time", "{}").calls("get_slow", "{}").says("Done.").says("Done.");
    String id = one.zoe.conversation();
    Iterator<String> elsewhere = other.zoe.stream("/v1/conversations/" + id + "/events");
    FutureTask<String> told = turn(one, id, "Go");
    came.await();
    assertThat(first.running()).isOne();
    lost.close();
    worker(storage());
    go.countDown();

    String text = told.get();
    List<String> frames = frames(text);
    assertThat(text).contains("Done.").endsWith("data: [DONE]\n\n");
    checkWithoutGaps(frames);
    assertThat(untilDone(elsewhere)).isEqualTo(frames);
    assertThat(ran).contains("get_time{}").containsOnlyOnce("get_time{}");
  }

  @Test
  void aStreamOfAServerThatEndsIsResumedAtTheOther() throws Exception {
    worker(storage());
    model.calls("get_slow", "{}").says("Done.");
    String id = one.zoe.conversation();
    FutureTask<String> told = turn(one, id, "Go");
    came.await();
    await()
        .until(
            () -> one.zoe.get("/v1/conversations/" + id + "/events").text().contains("tool_call"));
    one.server.close();
    String broken = told.get();
    assertThat(broken).endsWith(": resume\n\n");
    List<String> frames = new ArrayList<>(frames(broken));
    String cursor = frames.get(frames.size() - 2).substring(4);
    Iterator<String> rest =
        other.zoe.stream("/v1/conversations/" + id + "/events", "Last-Event-ID", cursor);
    go.countDown();
    frames.addAll(untilDone(rest));
    checkWithoutGaps(frames);
    assertThat(frames.toString()).contains("Done.");
  }

  @Test
  void aSentenceSentToBothServersCountsOnce() throws Exception {
    worker(storage());
    model.says("Hello.");
    String id = one.zoe.conversation();
    List<FutureTask<String>> answers = new ArrayList<>();
    for (TestServer server : List.of(one, other, one, other)) {
      FutureTask<String> answer =
          new FutureTask<>(() ->
              server
                  .zoe
                  .send(
                      server
                          .zoe
                          .request("/v1/conversations/" + id + "/turns")
                          .header("Accept", "text/event-stream")
                          .header("Idempotency-Key", "k1")
                          .POST(BodyPublishers.ofString("{\"text\":\"Hi\"}"))
                          .build())
                  .text());
      answers.add(answer);
      Thread.ofVirtual().start(answer);
    }
    List<JsonNode> first = TestServer.events(answers.getFirst().get());
    assertThat(TestServer.types(first)).endsWith("content", "done");
    for (FutureTask<String> answer : answers) {
      assertThat(TestServer.events(answer.get())).isEqualTo(first);
    }
    assertThat(model.requests()).hasSize(1);
  }
}
