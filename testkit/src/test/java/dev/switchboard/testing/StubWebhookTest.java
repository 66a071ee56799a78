package dev.switchboard.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StubWebhookTest {
  private static final Duration SOON = Duration.ofMinutes(5);

  private final StubWebhook webhook = StubWebhook.start();
  // No upgrade to HTTP/2 is offered, so that the requests are plain.
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @AfterEach
  void close() {
    webhook.close();
    http.close();
  }

  @Test
  void answersOkWithoutAScript() throws Exception {
    HttpResponse<String> response = post("/", "");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo("{}");
    assertThat(response.headers().firstValue("content-type")).contains("application/json");
  }

  @Test
  void answersInOrderAndThenTheLastAgain() throws Exception {
    webhook
        .answer(500, "1")
        .answer(StubAnswer.of(503, "2").header("Retry-After", "2"))
        .answer(200, "3");

    assertThat(post("/", "").body()).isEqualTo("1");
    assertThat(post("/", "").headers().firstValue("Retry-After")).contains("2");
    assertThat(post("/", "").body()).isEqualTo("3");
    assertThat(post("/", "").body()).isEqualTo("3");
    assertThat(webhook.connections()).isOne();
  }

  @Test
  void saysThatItsScriptFailed() throws Exception {
    webhook.answer(request -> {
      throw new IllegalStateException("no such order");
    });

    HttpResponse<String> response = post("/", "");
    assertThat(response.statusCode()).isEqualTo(500);
    assertThat(response.body())
        .isEqualTo(
            "The script of this webhook failed: java.lang.IllegalStateException: no such order");
  }

  @Test
  void goesOnWithAnswersThatAreAddedLater() throws Exception {
    assertThat(post("/", "").body()).isEqualTo("{}");
    webhook.answer(200, "1");
    assertThat(post("/", "").body()).isEqualTo("1");
    assertThat(post("/", "").body()).isEqualTo("1");
    webhook.answer(200, "2").answer(200, "3");
    assertThat(post("/", "").body()).isEqualTo("2");
    assertThat(post("/", "").body()).isEqualTo("3");
  }

  @Test
  void answersByTheRequest() throws Exception {
    webhook.answer(request -> StubAnswer.of(200, request.path() + request.body()));

    assertThat(post("/a", "b").body()).isEqualTo("/ab");
  }

  @Test
  void remembersRequests() throws Exception {
    post("/orders?id=1", "{\"n\":\"\u00e9\"}");

    StubRequest request = webhook.takeRequest(SOON);
    assertThat(request.method()).isEqualTo("POST");
    assertThat(request.path()).isEqualTo("/orders?id=1");
    assertThat(request.header("x-KEY")).isEqualTo("k");
    assertThat(request.json().tree().path("n").stringValue()).isEqualTo("\u00e9");
    assertThat(webhook.requests()).containsExactly(request);
  }

  @Test
  void readsAChunkedRequest() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(webhook.url()))
            .POST(
                HttpRequest.BodyPublishers.fromPublisher(
                    HttpRequest.BodyPublishers.ofString("chunked")))
            .build();
    http.send(request, BodyHandlers.ofString());

    assertThat(webhook.takeRequest(SOON).body()).isEqualTo("chunked");
  }

  @Test
  void saysThatNoRequestCame() {
    assertThatThrownBy(() -> webhook.takeRequest(Duration.ofMillis(1)))
        .isInstanceOf(AssertionError.class)
        .hasMessage("no request came within 1 ms");
  }

  @Test
  void waitsBeforeADelayedAnswer() throws Exception {
    webhook.answer(StubAnswer.of(200, "late").delay(Duration.ofMillis(50)));
    long start = System.nanoTime();

    assertThat(post("/", "").body()).isEqualTo("late");
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(50));
  }

  @Test
  void dripsABody() throws Exception {
    webhook.answer(StubAnswer.of(200, "drip").drip(Duration.ofMillis(5)));

    assertThat(post("/", "").body()).isEqualTo("drip");
    assertThat(webhook.bodyBytesWritten()).isEqualTo(4);
  }

  @Test
  void sendsWithoutEndUntilTheClientLeaves() throws Exception {
    webhook.answer(StubAnswer.endless());
    HttpResponse<InputStream> response = http.send(request("/", ""), BodyHandlers.ofInputStream());
    assertThat(response.body().readNBytes(100_000)).hasSize(100_000);
    response.body().close();

    assertThat(webhook.bodyBytesWritten()).isGreaterThanOrEqualTo(100_000);
  }

  @Test
  void compressesABody() throws Exception {
    webhook.answer(StubAnswer.of(200, "x".repeat(1000)).gzip());

    HttpResponse<String> response = post("/", "");
    assertThat(response.headers().firstValue("Content-Encoding")).contains("gzip");
    assertThat(webhook.bodyBytesWritten()).isLessThan(100);
  }

  @Test
  void breaksConnections() {
    webhook
        .answer(StubAnswer.reset())
        .answer(StubAnswer.garbage())
        .answer(StubAnswer.of(200, "").contentLength(9));

    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> post("/", "")).isInstanceOf(IOException.class);
    }
  }

  @Test
  void neverAnswersUntilItIsClosed() {
    webhook.answer(StubAnswer.hang());
    CompletableFuture<HttpResponse<String>> response =
        http.sendAsync(request("/", ""), BodyHandlers.ofString());
    webhook.takeRequest(SOON);

    assertThat(response).isNotDone();
    webhook.close();
    assertThat(response).failsWithin(SOON);
  }

  private HttpResponse<String> post(String path, String body) throws Exception {
    return http.send(request(path, body), BodyHandlers.ofString());
  }

  private HttpRequest request(String path, String body) {
    return HttpRequest.newBuilder(URI.create(webhook.url(path)))
        .header("X-Key", "k")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  @Test
  void takesNoConnectionOnceItIsClosed() throws IOException {
    int taken = 0;
    for (int i = 0; i < 50; i++) {
      StubWebhook closed = StubWebhook.start();
      closed.close();
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), closed.port())) {
        taken += socket.isConnected() ? 1 : 0;
      } catch (ConnectException refused) {
        // As it should be.
      }
    }
    // One may be another test's server, which was given the port since.
    assertThat(taken).isLessThanOrEqualTo(1);
  }
}
