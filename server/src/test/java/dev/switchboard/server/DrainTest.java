package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.server.TestServer.Client;
import dev.switchboard.testing.ScriptedModel;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

/// How a server ends while turns run and streams are read.
class DrainTest {
  private static final String TURN = "{\"text\":\"Hi\"}";

  private final InProcessConversations store = new InProcessConversations();

  private TestServer server(Duration drain, ScriptedModel model) {
    ServerLimits limits =
        new ServerLimits(
            drain, Duration.ofSeconds(10), Duration.ofSeconds(30), 32 * 1024, Connections.MOST);
    return new TestServer(
        agent -> agent.store(store).model(model), server -> server.limits(limits).sole());
  }

  private static String running(TestServer server, ScriptedModel model) {
    Client zoe = server.zoe;
    String id = zoe.post("/v1/agents/Desk/conversations", "").json().path("id").asString();
    assertThat(zoe.post("/v1/conversations/" + id + "/turns", TURN).status()).isEqualTo(202);
    model.awaitRequests(1);
    return id;
  }

  private static List<String> rest(Iterator<String> lines) {
    List<String> all = new ArrayList<>();
    lines.forEachRemaining(all::add);
    return all;
  }

  @Test
  void letsATurnComeToRestAndTakesNoMore() throws Exception {
    ScriptedModel model = new ScriptedModel().blocks().and().says("Done.");
    TestServer server = server(Duration.ofSeconds(30), model);
    String id = running(server, model);
    String path = "/v1/conversations/" + id;
    Iterator<String> events = server.zoe.stream(path + "/events");
    Iterator<String> notices = server.zoe.stream("/v1/events");
    assertThat(events.next()).isEqualTo(": keepalive");
    assertThat(notices.next()).isEqualTo(": keepalive");

    Thread closing = Thread.ofVirtual().start(server.server::close);
    await().until(() -> server.zoe.get("/readyz").status() == 503);
    assertThat(server.zoe.get("/livez").status()).isEqualTo(200);
    HttpResponse<String> refused =
        java.net.http.HttpClient.newHttpClient()
            .send(
                server
                    .zoe
                    .request(path + "/turns")
                    .POST(java.net.http.HttpRequest.BodyPublishers.ofString(TURN))
                    .build(),
                BodyHandlers.ofString());
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.body()).contains("draining");
    assertThat(refused.headers().firstValue("Retry-After")).isPresent();
    assertThat(rest(events)).endsWith(": resume", "").noneMatch(line -> line.contains("[DONE]"));
    assertThat(rest(notices)).endsWith(": resume", "");
    // A stream that is opened now ends at once.
    assertThat(rest(server.zoe.stream(path + "/events"))).endsWith(": resume", "");
    assertThat(rest(server.zoe.stream("/v1/events"))).endsWith(": resume", "");
    assertThat(closing.isAlive()).isTrue();
    model.release();
    assertThat(closing.join(Duration.ofMinutes(5))).isTrue();

    assertThat(store.events(id, 0, 100).getLast().event().text()).contains("end_turn");
    server.close();
  }

  @Test
  void leavesAnUnfinishedTurnToTheNextServer() throws Exception {
    String id;
    ScriptedModel model = new ScriptedModel().blocks().and().says("Too late.");
    try (TestServer first = server(Duration.ofMillis(100), model)) {
      id = running(first, model);
      first.server.close();
      try (TestServer second =
          server(Duration.ofSeconds(30), new ScriptedModel().says("In its place."))) {
        await().until(() -> store.events(id, 0, 100).toString().contains("end_turn"));
        model.release();
        Iterator<String> events = second.operator.stream("/v1/conversations/" + id + "/events");
        await().until(() -> events.hasNext() && events.next().contains("In its place."));
      }
    }
    assertThat(store.events(id, 0, 100).toString()).doesNotContain("Too late.");
  }
}
