package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.json.Json;
import dev.switchboard.server.Server.Limits;
import dev.switchboard.store.InProcessConversations;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Clients that read or speak a byte now and then, or not at all.
@Tag("slow")
class SlowClientsTest {
  private static final int SLOW = 20;
  private static final int WORDS = 200_000;
  private static final int RECEIVED = 4_096;

  private final List<Socket> sockets = new ArrayList<>();
  private final TestServer server =
      new TestServer(
          agent -> agent.store(new InProcessConversations()),
          set ->
              set.limits(
                  new Limits(
                      Duration.ofSeconds(30),
                      Duration.ofSeconds(2),
                      Duration.ofSeconds(2),
                      1 << 20,
                      60)));

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
    socket.setSoTimeout(15_000);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.server.port()));
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    return socket;
  }

  private String request(String line, String more) {
    return "%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\n%s\r\n"
        .formatted(line, server.server.port(), server.zoe.token, more);
  }

  /// Reads a byte each 20 milliseconds; how long until the server has closed the connection.
  private static Duration readSlowly(Socket socket) throws Exception {
    long begin = System.nanoTime();
    InputStream in = socket.getInputStream();
    try {
      while (in.read() >= 0) {
        TimeUnit.MILLISECONDS.sleep(20);
        // What has come and is not read yet would take for ever.
        if (System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(6)) {
          while (in.skip(RECEIVED) > 0) {}
        }
      }
    } catch (SocketTimeoutException e) {
      throw e;
    } catch (IOException e) {
      // It is reset.
    }
    return Duration.ofNanos(System.nanoTime() - begin);
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

    long begin = System.nanoTime();
    for (int turn = 0; turn < 3; turn++) {
      assertThat(server.zoe.say(id, "Go").toString()).contains("end_turn");
    }
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(2));
    String other = server.zoe.conversation();
    server.model.says("Quick.");
    assertThat(server.zoe.say(other, "Go").toString()).contains("Quick.");

    assertThat(feed.awaitNoReaders(10, TimeUnit.SECONDS)).isTrue();
    assertThat(readSlowly(slow.getFirst())).isLessThan(Duration.ofSeconds(10));
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
    InputStream page =
        send(request("GET " + path + "/events?limit=1000", "Connection: close\r\n"))
            .getInputStream();
    InputStream export =
        send(request("GET " + path + "/export", "Connection: close\r\n")).getInputStream();
    for (int i = 0; i < 40; i++) {
      assertThat(page.readNBytes(RECEIVED / 4)).hasSize(RECEIVED / 4);
      assertThat(export.readNBytes(RECEIVED / 4)).hasSize(RECEIVED / 4);
      TimeUnit.MILLISECONDS.sleep(100);
    }
    // What had gone out by then, and not the rest.
    assertThat(readAll(page)).isLessThan(2 * WORDS);
    assertThat(readAll(export)).isLessThan(2 * WORDS);
    assertThat(server.zoe.get(path + "/export").text()).hasSizeGreaterThan(3 * WORDS);
  }

  private static long readAll(InputStream in) {
    long read = 0;
    try {
      for (int now = in.read(new byte[RECEIVED]); now >= 0; now = in.read(new byte[RECEIVED])) {
        read += now;
      }
    } catch (IOException e) {
      // It is reset.
    }
    return read;
  }

  @Test
  void closesConnectionsThatBringNoRequestInTime() throws Exception {
    Socket silent = send("");
    Socket half = send("GET /livez HTTP/1.1\r\nHost: 127.0");
    Socket trickle = send("GET /livez HTTP/1.1\r\n");
    Thread.ofVirtual()
        .start(() -> {
          try {
            while (true) {
              trickle.getOutputStream().write("a: b\r\n".getBytes(StandardCharsets.UTF_8));
              TimeUnit.MILLISECONDS.sleep(300);
            }
          } catch (IOException | InterruptedException e) {
            // It is closed.
          }
        });
    for (Socket socket : List.of(silent, half, trickle)) {
      assertThat(readSlowly(socket)).isLessThan(Duration.ofSeconds(6));
    }
  }

  @Test
  void closesConnectionsWhoseBodyComesTooSlowly() throws Exception {
    Socket socket = send(request("POST /v1/login", "Content-Length: 100000\r\n") + "{");
    Thread.ofVirtual()
        .start(() -> {
          try {
            while (true) {
              socket.getOutputStream().write(' ');
              TimeUnit.MILLISECONDS.sleep(300);
            }
          } catch (IOException | InterruptedException e) {
            // It is closed.
          }
        });
    assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
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
    TimeUnit.MILLISECONDS.sleep(700);
    socket.getOutputStream().write(body.substring(0, 150).getBytes(StandardCharsets.UTF_8));
    TimeUnit.MILLISECONDS.sleep(400);
    socket.getOutputStream().write(body.substring(150).getBytes(StandardCharsets.UTF_8));
    assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .startsWith("HTTP/1.1 401");
  }

  @Test
  void keepsNoMoreConnectionsThanItMay() throws Exception {
    for (int i = 0; i < 100; i++) {
      send("");
    }
    // The others wait in the system until those are closed, which say nothing.
    assertThat(server.zoe.get("/livez").status()).isEqualTo(200);
  }
}
