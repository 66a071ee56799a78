package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.mount.Mount;
import dev.switchboard.mount.Mount.Check;
import dev.switchboard.mount.Permission;
import dev.switchboard.mount.Role;
import dev.switchboard.server.TestServer.Answer;
import dev.switchboard.testing.ManualTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Routes and sockets of other modules.
class MountsTest {
  private final List<String> heard = new CopyOnWriteArrayList<>();
  private final List<String> streamed = new CopyOnWriteArrayList<>();
  private volatile Runnable revoking = () -> {};
  private final AtomicInteger unsent = new AtomicInteger();
  private final ManualTime time = new ManualTime();
  private final TestServer server =
      new TestServer(
          agent -> agent.store(new InProcessConversations()),
          settings ->
              settings
                  .time(time)
                  .limits(
                      new ServerLimits(
                          Duration.ofSeconds(5),
                          Duration.ofMinutes(10),
                          Duration.ofMinutes(10),
                          32 * 1024,
                          100))
                  .mount(
                      new Mount.Http("post", "/carrier/voice", Check.OWN, MountsTest::tell),
                      new Mount.Http(
                          "POST", "/mcp", Check.server(Permission.SEE_AGENTS), MountsTest::tell),
                      new Mount.Http(
                          "GET", "/mcp", Check.server(Permission.SEE_AGENTS), this::stream),
                      new Mount.Socket("/carrier/media", Check.OWN, new Echo()),
                      new Mount.Socket("/live", Check.server(Permission.SEE_AGENTS), new Echo())));

  @AfterEach
  void close() {
    server.close();
  }

  private static void tell(Mount.Request request, Mount.Response response) {
    String whom =
        request.principal() == null
            ? "nobody"
            : request.principal().name() + " " + Role.words(request.principal().roles(), " ");
    response.send(
        201,
        Map.of("Content-Type", "text/plain", "X-Target", request.target()),
        request.method() + " " + whom + " " + request.header("X-One") + " " + request.body());
  }

  private void stream(Mount.Request request, Mount.Response response) throws IOException {
    try (Mount.EventStream events = response.events()) {
      events.send("data: one\n\n");
      revoking.run();
      events.send("data: two\n\n");
    } catch (IOException e) {
      streamed.add(String.valueOf(e.getMessage()));
    }
  }

  /// Sends back what it gets, and closes at `bye`.
  private final class Echo implements Mount.Acceptor {
    @Override
    public Mount.@Nullable Refusal refusal(Mount.Request request) {
      return request.target().endsWith("?signature=wrong")
          ? new Mount.Refusal(403, "Invalid signature")
          : null;
    }

    @Override
    public Mount.Listener open(Mount.Request request, Mount.Channel channel) {
      return new Mount.Listener() {
        @Override
        public void message(String text) {
          if (text.equals("bye")) {
            channel.close(4000, "as told");
          } else {
            var unused =
                channel
                    .send(text + text)
                    .exceptionally(thrown -> {
                      unsent.incrementAndGet();
                      return null;
                    });
          }
        }

        @Override
        public void closed(int code) {
          heard.add("closed " + code);
        }
      };
    }
  }

  /// What a socket's other side has heard.
  private static final class Heard implements WebSocket.Listener {
    final List<String> messages = new CopyOnWriteArrayList<>();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean last) {
      messages.add(text.toString());
      socket.request(1);
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      messages.add(code + " " + reason);
      return null;
    }
  }

  private CompletableFuture<WebSocket> socket(
      String path, WebSocket.Listener heard, String... headers) {
    WebSocket.Builder socket = HttpClient.newHttpClient().newWebSocketBuilder();
    for (int i = 0; i < headers.length; i += 2) {
      socket.header(headers[i], headers[i + 1]);
    }
    URI url = URI.create("ws://127.0.0.1:" + server.server.port() + path);
    return socket.buildAsync(url, heard);
  }

  private static int refusal(CompletableFuture<WebSocket> socket) {
    CompletionException thrown =
        org.junit.jupiter.api.Assertions.assertThrows(CompletionException.class, socket::join);
    return ((WebSocketHandshakeException) thrown.getCause()).getResponse().statusCode();
  }

  @Test
  void aPageOfAnotherSiteIsRefusedWithABearerToo() {
    HttpRequest.Builder request = server.zoe.request("/mcp").POST(BodyPublishers.ofString("{}"));
    assertThat(server.zoe.send(request.copy().header("Origin", "https://evil.example").build()))
        .returns(403, TestServer.Answer::status);
    assertThat(server.zoe.send(request.copy().header("Origin", "null").build()))
        .returns(403, TestServer.Answer::status);
    String own = server.zoe.request("/mcp").build().uri().resolve("/").toString();
    String origin = own.substring(0, own.length() - 1);
    assertThat(server.zoe.send(request.copy().header("Origin", origin).build()))
        .returns(201, TestServer.Answer::status);
  }

  @Test
  void aRouteChecksItselfOrHasTheServerDoIt() {
    Answer own =
        server.stranger.send(
            server
                .stranger
                .request("/carrier/voice?a=%20b")
                .header("X-One", "1")
                .POST(BodyPublishers.ofString("CallSid=é"))
                .build());
    assertThat(own.status()).isEqualTo(201);
    assertThat(own.text()).isEqualTo("POST nobody 1 CallSid=é");

    assertThat(server.stranger.post("/mcp", "{}").status()).isEqualTo(401);
    assertThat(server.stranger.post("/mcp/", "{}").status()).isEqualTo(401);
    assertThat(server.zoe.post("/mcp", "{}").text()).isEqualTo("POST zoe chat null {}");
    assertThat(server.zoe.get("/mcp").text()).isEqualTo("data: one\n\ndata: two\n\n");
    assertThat(server.zoe.get("/mcp").type()).startsWith("text/event-stream");
    assertThat(server.zoe.delete("/mcp").status()).isEqualTo(405);
    assertThat(server.stranger.post("/carrier/voice", "x".repeat(2 << 20)).status()).isEqualTo(413);
    assertThat(server.stranger.post("/carrier/voice/../voice", "").status()).isEqualTo(400);
  }

  @Test
  void aStreamEndsWithTheTokenOfItsClient() {
    String name = server.tokens.all().getFirst().name();
    revoking =
        () -> {
          assertThat(server.tokens.revoke(name)).isTrue();
          time.advance(Duration.ofSeconds(2));
        };

    Answer answer = server.operator.get("/mcp");

    assertThat(answer.text()).isEqualTo("data: one\n\n");
    assertThat(streamed).containsExactly("the client may no longer read");
  }

  @Test
  void aSocketSpeaksBothWaysUntilEitherSideEndsIt() {
    Heard other = new Heard();
    WebSocket socket = socket("/carrier/media", other).join();
    socket.sendText("ab", true).join();
    socket.sendText("bye", true).join();
    await().untilAsserted(() -> assertThat(other.messages).containsExactly("abab", "4000 as told"));
    await().untilAsserted(() -> assertThat(heard).hasSize(1));

    WebSocket gone = socket("/carrier/media", new Heard()).join();
    gone.sendClose(1000, "").join();
    await().untilAsserted(() -> assertThat(heard).contains("closed 1000"));
    WebSocket cut = socket("/carrier/media", new Heard()).join();
    cut.abort();
    await().untilAsserted(() -> assertThat(heard).hasSize(3));
  }

  @Test
  void aSocketIsOpenedForWhomItMay() {
    assertThat(refusal(socket("/carrier/media?signature=wrong", new Heard()))).isEqualTo(403);
    assertThat(refusal(socket("/live", new Heard()))).isEqualTo(401);
    assertThat(refusal(socket("/nothing", new Heard()))).isEqualTo(404);
    assertThat(heard).isEmpty();

    String bearer = "Bearer " + server.zoe.token;
    socket("/live", new Heard(), "Authorization", bearer).join().abort();
    await().untilAsserted(() -> assertThat(heard).hasSize(1));
  }

  @Test
  void aSilentSocketStaysOpen() throws Exception {
    Heard other = new Heard();
    WebSocket socket = socket("/carrier/media", other).join();
    try (Socket silent = new Socket(InetAddress.getLoopbackAddress(), server.server.port())) {
      CompletableFuture<Integer> end =
          CompletableFuture.supplyAsync(() -> read(silent), Thread::startVirtualThread);
      await()
          .until(() -> {
            time.advance(Duration.ofMinutes(11));
            return end.isDone();
          });
    }
    socket.sendText("a", true).join();
    await().untilAsserted(() -> assertThat(other.messages).containsExactly("aa"));
    socket.abort();
  }

  private static int read(Socket socket) {
    try {
      return socket.getInputStream().read();
    } catch (IOException e) {
      return -1;
    }
  }

  @Test
  void aSocketThatDoesNotReadIsCutOff() {
    WebSocket socket = socket("/carrier/media", new Deaf()).join();
    // More comes back than the network holds.
    for (int i = 0; i < 60; i++) {
      socket.sendText("x".repeat(400_000), true).join();
    }
    await()
        .until(() -> {
          time.advance(Duration.ofSeconds(6));
          return heard.size() == 1;
        });
    await().untilAsserted(() -> assertThat(unsent).hasPositiveValue());
    socket.abort();
  }

  private static final class Deaf implements WebSocket.Listener {
    @Override
    public void onOpen(WebSocket socket) {}
  }

  @Test
  void pathsAreExact() {
    for (String path : List.of("", "/", "carrier", "/a/{id}", "/a/*", "/a//b", "/a?b")) {
      assertThatThrownBy(() -> new Mount.Http("GET", path, Check.OWN, MountsTest::tell))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> new Mount.Http("TRACE", "/a", Check.OWN, MountsTest::tell))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
