package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.json.Json;
import dev.switchboard.testing.ManualTime;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/// Clients that read or speak a byte now and then, or not at all.
@Isolated("slow readers are a matter of time")
class SlowClientsTest {
  private static final int SLOW = 20;
  private static final int WORDS = 200_000;
  private static final int RECEIVED = 4_096;
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final List<Socket> sockets = new ArrayList<>();
  private final ManualTime time = new ManualTime();
  private final TestServer server =
      new TestServer(
          agent -> agent.store(new InProcessConversations()),
          set ->
              set.time(time)
                  .limits(
                      new ServerLimits(Duration.ofSeconds(30), PATIENCE, PATIENCE, 1 << 20, 60)));

  @AfterEach
  void close() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    server.close();
  }

  private Socket send(String text) throws IOException {
    Socket socket = new Socket();
    sockets.add(socket);
    socket.setReceiveBufferSize(RECEIVED);
    socket.setSoTimeout(300_000);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.server.port()));
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    return socket;
  }

  private String request(String line, String more) {
    return "%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\n%s\r\n"
        .formatted(line, server.server.port(), server.zoe.token, more);
  }

  /// Lets time pass until the server has closed the connection.
  ///
  /// @param meanwhile what the client does again and again
  private byte[] untilClosed(Socket socket, Runnable meanwhile) {
    CompletableFuture<byte[]> read =
        CompletableFuture.supplyAsync(() -> readAll(socket), Thread::startVirtualThread);
    await()
        .until(() -> {
          meanwhile.run();
          time.advance(PATIENCE.dividedBy(4));
          return read.isDone();
        });
    return read.join();
  }

  /// Writes that; whether the connection is still open.
  private static boolean writes(Socket socket, String text) {
    try {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void cutsThoseThatDoNotReadAndDisturbsNoOne() throws Exception {
    String id = server.zoe.conversation();
    server.model.says("x".repeat(WORDS)).says("y".repeat(WORDS)).says("z".repeat(WORDS));
    List<Socket> slow = new ArrayList<>();
    for (int i = 0; i < SLOW; i++) {
      slow.add(
          send(
              request(
                  "GET /v1/conversations/" + id + "/events",
                  "Accept: text/event-stream\r\nConnection: close\r\n")));
    }
    Feed feed = server.live(id).feed();
    await().until(() -> feed.readers() == SLOW);

    // None of their time passes meanwhile, so no turn waits until they are cut.
    for (int turn = 0; turn < 3; turn++) {
      assertThat(server.zoe.say(id, "Go").toString()).contains("end_turn");
    }
    String other = server.zoe.conversation();
    server.model.says("Quick.");
    assertThat(server.zoe.say(other, "Go").toString()).contains("Quick.");
    assertThat(feed.readers()).isEqualTo(SLOW);

    await()
        .until(() -> {
          time.advance(PATIENCE);
          return feed.readers() == 0;
        });
    assertThat(readAll(slow.getFirst())).isNotEmpty();
    // Closed, and nothing cancelled: it can be taken up again.
    String rest = server.zoe.get("/v1/conversations/" + id + "/events?limit=100").text();
    assertThat(rest).contains("zzz").doesNotContain("cancelled");
  }

  @Test
  void cutsThoseThatReadAnOrdinaryResponseTooSlowly() throws Exception {
    String id = server.zoe.conversation();
    server.model.says("x".repeat(WORDS)).says("y".repeat(WORDS)).says("z".repeat(WORDS));
    for (int turn = 0; turn < 3; turn++) {
      server.zoe.say(id, "Go");
    }
    String path = "/v1/conversations/" + id;
    Socket page = send(request("GET " + path + "/events?limit=1000", "Connection: close\r\n"));
    Socket export = send(request("GET " + path + "/export", "Connection: close\r\n"));
    for (Socket socket : List.of(page, export)) {
      assertThat(socket.getInputStream().readNBytes(RECEIVED)).hasSize(RECEIVED);
    }
    await()
        .until(() -> {
          time.advance(PATIENCE);
          return !writes(page, "x") && !writes(export, "x");
        });
    // What had gone out by then, and not the rest.
    for (Socket socket : List.of(page, export)) {
      assertThat(readAll(socket)).hasSizeLessThan(2 * WORDS);
    }
    assertThat(server.zoe.get(path + "/export").text()).hasSizeGreaterThan(3 * WORDS);
  }

  private static byte[] readAll(Socket socket) {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    try {
      long unused = socket.getInputStream().transferTo(read);
    } catch (IOException e) {
      // It is reset.
    }
    return read.toByteArray();
  }

  @Test
  void closesConnectionsThatBringNoRequestInTime() throws Exception {
    Socket silent = send("");
    Socket half = send("GET /livez HTTP/1.1\r\nHost: 127.0");
    Socket trickle = send("GET /livez HTTP/1.1\r\n");
    for (Socket socket : List.of(silent, half, trickle)) {
      assertThat(untilClosed(socket, () -> writes(trickle, "a: b\r\n"))).isEmpty();
    }
  }

  @Test
  void closesConnectionsWhoseBodyComesTooSlowly() throws Exception {
    Socket socket = send(request("POST /v1/login", "Content-Length: 100000\r\n") + "{");
    assertThat(new String(untilClosed(socket, () -> writes(socket, " ")), StandardCharsets.UTF_8))
        .startsWith("HTTP/1.1 408");
  }

  @Test
  void takesABodyThatPauses() throws Exception {
    String body = Json.of(Map.of("token", "x".repeat(200))).text();
    Socket socket =
        send(
            request(
                "POST /v1/login",
                "Connection: close\r\nContent-Length: " + body.length() + "\r\n"));
    time.advance(PATIENCE.dividedBy(3));
    assertThat(writes(socket, body.substring(0, 150))).isTrue();
    time.advance(PATIENCE.dividedBy(3));
    assertThat(writes(socket, body.substring(150))).isTrue();
    assertThat(new String(readAll(socket), StandardCharsets.UTF_8)).startsWith("HTTP/1.1 401");
  }

  @Test
  void keepsNoMoreConnectionsThanItMay() throws Exception {
    for (int i = 0; i < 100; i++) {
      send("");
    }
    CompletableFuture<Integer> status =
        CompletableFuture.supplyAsync(() -> server.zoe.get("/livez").status());
    // The others wait in the system until those are closed, which say nothing.
    await()
        .until(() -> {
          time.advance(PATIENCE.dividedBy(4));
          return status.isDone();
        });
    assertThat(status).isCompletedWithValue(200);
  }
}
