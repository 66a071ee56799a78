package dev.switchboard.webhook;

import static dev.switchboard.webhook.GuardedFixture.LIMIT;
import static dev.switchboard.webhook.GuardedFixture.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.switchboard.http.HttpAnswer;
import dev.switchboard.http.HttpRequest;
import dev.switchboard.http.ResponseTooLargeException;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.testing.StubWebhook;
import java.io.IOException;
import java.net.ProtocolException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuardedHttpTest {
  private static final Duration SOON = Duration.ofMinutes(5);

  private final GuardedFixture fixture = new GuardedFixture();
  private final StubWebhook webhook = fixture.webhook;
  private final TestSockets sockets = fixture.sockets;

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void postsTheBodyWithItsHeaders() throws IOException {
    webhook.answer(StubAnswer.of(201, "{\"id\":\"\u00e9\"}").header("Retry-After", "7"));
    HttpRequest post =
        HttpRequest.post(webhook.url("/a?b=c"), Map.of("X-Key", "k"), "{\"n\":\"\u00e9\"}", LIMIT);

    HttpAnswer answer = fixture.trusting().send(post, cancel -> {});

    assertThat(answer).isEqualTo(new HttpAnswer(201, "7", "{\"id\":\"\u00e9\"}", false, false));
    StubRequest request = webhook.takeRequest(SOON);
    assertThat(request.method()).isEqualTo("POST");
    assertThat(request.path()).isEqualTo("/a?b=c");
    assertThat(request.body()).isEqualTo("{\"n\":\"\u00e9\"}");
    assertThat(request.headers())
        .containsEntry("Host", webhook.hostAndPort())
        .containsEntry("Content-Type", "application/json")
        .containsEntry("User-Agent", "switchboard")
        .containsEntry("X-Key", "k");
  }

  @Test
  void keepsAConnectionForTheNextRequest() throws IOException {
    GuardedHttp http = fixture.trusting();
    post(http, webhook.url());
    post(http, webhook.url());

    assertThat(webhook.requests()).hasSize(2);
    assertThat(webhook.connections()).isOne();
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void followsNoRedirect(int status) throws IOException {
    webhook.answer(StubAnswer.status(status).header("Location", webhook.url("/secret")));

    assertThat(post(fixture.trusting(), webhook.url()).status()).isEqualTo(status);
    assertThat(webhook.requests()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 407, 408, 421, 503})
  void triesNothingTwice(int status) throws IOException {
    webhook.answer(
        StubAnswer.status(status)
            .header("Retry-After", "0")
            .header("WWW-Authenticate", "Basic realm=x")
            .header("Proxy-Authenticate", "Basic realm=x"));

    assertThat(failureOrStatus(status)).isEqualTo(status);
    assertThat(webhook.requests()).hasSize(1);
  }

  @Test
  void failsOnceWhenTheConnectionIsReset() {
    webhook.answer(StubAnswer.reset());

    assertThatThrownBy(() -> post(fixture.trusting(), webhook.url()))
        .isInstanceOf(IOException.class);
    assertThat(webhook.requests()).hasSize(1);
  }

  @Test
  void failsWhenTheAnswerIsNotHttpOrEndsEarly() {
    webhook.answer(StubAnswer.garbage()).answer(StubAnswer.of(200, "{}").contentLength(10));

    assertThatThrownBy(() -> post(fixture.trusting(), webhook.url()))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> post(fixture.trusting(), webhook.url()))
        .isInstanceOf(IOException.class);
  }

  @Test
  void readsAnAnswerUpToItsLimit() throws IOException {
    webhook.answer(200, "x".repeat(LIMIT)).answer(200, "x".repeat(LIMIT + 1)).answer(200, "{}");
    GuardedHttp http = fixture.trusting();

    assertThat(post(http, webhook.url()).body()).hasSize(LIMIT);
    assertThatThrownBy(() -> post(http, webhook.url()))
        .isInstanceOf(ResponseTooLargeException.class)
        .hasMessage("response too large (more than 1048576 bytes)");
    assertThat(post(http, webhook.url()).body()).isEqualTo("{}");
  }

  @Test
  void readsOneBufferMoreThanTheLimitOfAnEndlessAnswer() {
    webhook.answer(StubAnswer.endless());

    assertThatThrownBy(() -> post(fixture.trusting(), webhook.url()))
        .isInstanceOf(ResponseTooLargeException.class);
    assertThat(sockets.bytesRead.get()).isBetween((long) LIMIT, LIMIT + 3L * 8192);
  }

  @Test
  void believesALengthThatIsTooLarge() {
    webhook.answer(StubAnswer.status(200).contentLength(2 * LIMIT));

    assertThatThrownBy(() -> post(fixture.trusting(), webhook.url()))
        .isInstanceOf(ResponseTooLargeException.class);
  }

  @Test
  void countsWhatACompressedAnswerBecomes() throws IOException {
    webhook
        .answer(StubAnswer.of(200, "x".repeat(LIMIT)).gzip())
        .answer(StubAnswer.of(200, "x".repeat(32 * LIMIT)).gzip());
    GuardedHttp http = fixture.trusting();

    assertThat(post(http, webhook.url()).body()).hasSize(LIMIT);
    long before = sockets.bytesRead.get();
    assertThatThrownBy(() -> post(http, webhook.url()))
        .isInstanceOf(ResponseTooLargeException.class);
    assertThat(sockets.bytesRead.get() - before).isLessThan(24 * 1024);
  }

  @Test
  void readsOnlyTheBeginningOfAnError() throws IOException {
    webhook.answer(500, "x".repeat(2 * LIMIT)).answer(500, "no");
    GuardedHttp http = fixture.trusting();

    HttpAnswer long500 = post(http, webhook.url());
    assertThat(long500.body()).hasSize(16 * 1024);
    assertThat(long500.truncated()).isTrue();
    assertThat(post(http, webhook.url())).isEqualTo(new HttpAnswer(500, null, "no", false, false));
  }

  @Test
  void sendsNoCookies() throws IOException {
    webhook.answer(StubAnswer.of(200, "{}").header("Set-Cookie", "a=b"));
    GuardedHttp http = fixture.trusting();
    post(http, webhook.url());
    post(http, webhook.url());

    assertThat(webhook.requests()).extracting(it -> it.header("Cookie")).containsOnlyNulls();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void canBeCancelledFromAnotherThread(int dripping) {
    webhook.answer(dripping == 1 ? StubAnswer.of(200, "abc").drip(SOON) : StubAnswer.hang());
    AtomicReference<Runnable> cancel = new AtomicReference<>();
    CompletableFuture<Throwable> failed = inVirtualThread(cancel);
    webhook.takeRequest(SOON);
    cancel.get().run();

    assertThat(failed).succeedsWithin(SOON).isInstanceOf(IOException.class);
  }

  @Test
  void endsWhenItsVirtualThreadIsInterrupted() {
    webhook.answer(StubAnswer.hang());
    CompletableFuture<Throwable> failed = new CompletableFuture<>();
    Thread thread =
        Thread.startVirtualThread(
            () -> failed.complete(catchThrowable(() -> post(fixture.trusting(), webhook.url()))));
    webhook.takeRequest(SOON);
    thread.interrupt();

    assertThat(failed).succeedsWithin(SOON).isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Host", "content-length", "Transfer-Encoding", "X Key", "", "X-\u00e9"})
  void refusesHeadersThatAreNotTheCallersToSet(String name) {
    assertThatThrownBy(() -> HttpRequest.post("http://a/", Map.of(name, "v"), "", 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"hush\n", "hush\r\nX: y", "hush\u0000", "hush\u00e9"})
  void doesNotQuoteTheValueOfABadHeader(String value) {
    assertThatThrownBy(() -> HttpRequest.post("http://a/", Map.of("X-Key", value), "", 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("X-Key")
        .hasMessageNotContaining("hush");
  }

  private int failureOrStatus(int status) throws IOException {
    try {
      return post(fixture.trusting(), webhook.url()).status();
    } catch (ProtocolException e) {
      // A 407 from a server that is no proxy.
      return status;
    }
  }

  private CompletableFuture<Throwable> inVirtualThread(AtomicReference<Runnable> cancel) {
    GuardedHttp http = fixture.trusting();
    HttpRequest post = HttpRequest.post(webhook.url(), Map.of(), "{}", LIMIT);
    CompletableFuture<Throwable> failed = new CompletableFuture<>();
    Thread.startVirtualThread(
        () -> failed.complete(catchThrowable(() -> http.send(post, cancel::set))));
    return failed.orTimeout(SOON.toMinutes(), TimeUnit.MINUTES);
  }
}
