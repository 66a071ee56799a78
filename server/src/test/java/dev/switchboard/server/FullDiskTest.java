package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.handler.Tool;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;

/// A store that cannot be written for a while: nothing is shown that is not stored, nothing is lost
/// and nothing is done twice.
@Isolated("full disks are a matter of time")
class FullDiskTest {
  private final FullDisk disk = new FullDisk();
  private final List<String> ran = new CopyOnWriteArrayList<>();
  private final CountDownLatch began = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final TestServer server =
      new TestServer(
          agent -> agent.store(disk),
          Tool.dynamic("get_time")
              .handler(arguments -> {
                ran.add("get_time");
                began.countDown();
                goOn.await();
                return "noon";
              }));

  @AfterEach
  void close() {
    goOn.countDown();
    server.close();
  }

  private int ready() {
    return server.stranger.get("/readyz").status();
  }

  @Tag("slow")
  @Test
  void aTurnGoesOnWhenTheStoreCanBeWrittenAgain() throws Exception {
    server.model.calls("get_time", "{}").says("It is noon.");
    server.zoe.post("/v1/agents/Desk/conversations", "{\"id\":\"c1\",\"text\":\"Time?\"}");
    Iterator<String> stream = server.zoe.stream("/v1/conversations/c1/events");
    began.await();
    assertThat(ready()).isEqualTo(200);

    disk.full(true);
    goOn.countDown();
    String last = "";
    while (stream.hasNext()) {
      String line = stream.next();
      last = line.isEmpty() ? last : line;
    }
    assertThat(last).isEqualTo(": resume");
    await().until(() -> ready() == 503);
    assertThat(server.zoe.get("/v1/conversations/c1/events").text()).doesNotContain("\"done\"");

    disk.full(false);
    await().until(() -> ready() == 200);
    await().until(() -> server.zoe.get("/v1/conversations/c1/events").text().contains("\"done\""));
    assertThat(ran).hasSize(1);
    JsonNode events = server.zoe.get("/v1/conversations/c1/events").json().path("items");
    assertThat(events.valueStream().map(one -> one.path("number").asInt()))
        .containsExactly(1, 2, 3, 4, 5, 6);
    assertThat(events.valueStream().map(one -> one.path("event").path("type").asString()))
        .containsExactly("agent", "agent", "tool_call", "tool_result", "content", "done");
  }

  @Test
  void wordsThatWereNotStoredAreToldLater() {
    server.model.says("One ", "two ", "three.");
    server.zoe.post("/v1/agents/Desk/conversations", "{\"id\":\"c1\"}");
    server.live("c1"); // open, so that the sentence is the first write
    disk.full(true);
    assertThat(
            server
                .zoe
                .post("/v1/conversations/c1/turns", "{\"text\":\"Count\"}")
                .json()
                .path("code")
                .asString())
        .isEqualTo("not_stored");
    disk.full(false);
    // In one event or in several, as they were gathered.
    String told = server.zoe.say("c1", "Count").toString();
    assertThat(told.replace("\"}, {\"type\":\"content\",\"content\":\"", ""))
        .contains("One two three.");
    assertThat(server.model.requests()).hasSize(1);
  }
}
