package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Event;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The log of a conversation, as a stream, in pages, and whole.
class EventRoutesTest {
  private final InProcessConversations kept = new InProcessConversations();
  // Behind which number events cannot be read.
  private volatile long broken = Long.MAX_VALUE;
  private final TestServer server =
      new TestServer(
          agent -> agent.store(TestServer.watched(kept, this::read)),
          TestServer.tool("get_time", new CopyOnWriteArrayList<>()));

  @AfterEach
  void close() {
    server.close();
  }

  private void read(String method, Object[] arguments) {
    if (method.equals("events") && (long) arguments[1] >= broken) {
      throw new IllegalStateException("it cannot be read");
    }
  }

  private String conversation(int events) {
    String id = server.zoe.conversation();
    List<Event.Logged> told =
        IntStream.rangeClosed(1, events)
            .mapToObj(i ->
                new Event.Logged(
                    0, "k" + i, "r", Instant.EPOCH, new Event.Content("Wörter " + i).json()))
            .toList();
    assertThat(kept.appendEvents(id, 0, told)).hasSize(events);
    return id;
  }

  @Test
  void takesAStreamUpAgainByItsCursor() {
    server.model.calls("get_time", "{}").says("It is noon.");
    String id = server.zoe.conversation();
    server.zoe.say(id, "What time is it?");

    Iterator<String> lines =
        server.zoe.stream("/v1/conversations/" + id + "/events", "Last-Event-ID", "4");
    List<String> read = new ArrayList<>();
    while (read.size() < 7) {
      read.add(lines.next());
    }
    assertThat(read.get(0)).isEqualTo(": keepalive");
    assertThat(read.get(2)).isEqualTo("id: 5");
    assertThat(read.get(3)).contains("It is noon.");
    assertThat(read.get(5)).isEqualTo("id: 6");
    assertThat(server.zoe.get("/v1/conversations/" + id + "/events?after=7").json().path("code"))
        .hasToString("\"bad_cursor\"");
    assertThat(
            server
                .zoe
                .get("/v1/conversations/" + id + "/events?limit=2")
                .json()
                .path("next")
                .asInt())
        .isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 63, 64, 65, 128, 200})
  void exportsTheWholeLog(int events) throws IOException {
    String path = "/v1/conversations/" + conversation(events);
    ObjectNode expected =
        server.zoe.get("/v1/conversations").json().path("items").get(0).asObject();
    JsonNode log = server.zoe.get(path + "/events").json().path("items");
    assertThat(log).hasSize(events);
    expected.set("events", log);

    assertThat(server.zoe.get(path + "/export").text()).isEqualTo(Json.of(expected).text());
    assertThat(zipped(path + "/export")).isEqualTo(Json.of(expected).text());
  }

  private String zipped(String path) throws IOException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<byte[]> response =
          http.send(
              server.zoe.request(path).header("Accept-Encoding", "gzip").build(),
              BodyHandlers.ofByteArray());
      byte[] body = response.body();
      boolean isZipped = response.headers().firstValue("Content-Encoding").isPresent();
      return new String(
          isZipped ? new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes() : body,
          StandardCharsets.UTF_8);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 2_000})
  void anExportThatBreaksOffDoesNotLookWhole(int events) {
    String path = "/v1/conversations/" + conversation(events) + "/export";
    broken = events / 2;
    assertThatThrownBy(() -> server.zoe.get(path)).isInstanceOf(UncheckedIOException.class);
    broken = 0;
    assertThat(server.zoe.get(path).status()).isEqualTo(500);
    broken = Long.MAX_VALUE;
    assertThat(server.zoe.get(path).json().path("events")).hasSize(events);
  }
}
