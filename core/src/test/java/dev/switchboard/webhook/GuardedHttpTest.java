package dev.switchboard.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.switchboard.testing.Answer;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.testing.StubWebhook;
import dev.switchboard.testing.Vectors;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuardedHttpTest {
  private static final InetAddress PUBLIC = IpAddress.v4(0x5db8d822).toInetAddress();
  private static final InetAddress LOOPBACK = IpAddress.v4(0x7f000001).toInetAddress();
  private static final InetAddress NOBODY = IpAddress.v4(0x7f000002).toInetAddress();
  private static final Resolver TO_LOOPBACK = host -> List.of(LOOPBACK);
  private static final Duration SOON = Duration.ofSeconds(5);
  private static final int LIMIT = 1 << 20;

  private final StubWebhook webhook = StubWebhook.start();
  private final TestSockets sockets = new TestSockets();
  private final List<GuardedHttp> clients = new ArrayList<>();

  @AfterEach
  void closeAll() {
    webhook.close();
    clients.forEach(GuardedHttp::close);
  }

  @Test
  void postsTheBodyWithItsHeaders() throws IOException {
    webhook.answer(Answer.of(201, "{\"id\":\"\u00e9\"}").header("Retry-After", "7"));
    HttpPost post =
        new HttpPost(webhook.url("/a?b=c"), Map.of("X-Key", "k"), "{\"n\":\"\u00e9\"}", LIMIT);

    HttpAnswer answer = trusting().post(post, GuardedHttpTest::never);

    assertThat(answer).isEqualTo(new HttpAnswer(201, "7", "{\"id\":\"\u00e9\"}", false));
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
    GuardedHttp http = trusting();
    post(http, webhook.url());
    post(http, webhook.url());

    assertThat(webhook.requests()).hasSize(2);
    assertThat(webhook.connections()).isOne();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0x7f.1", "0177.0.0.1", "2130706433", "[::ffff:7f00:1]", "127.0.0.1."})
  void connectsToItsOwnReadingOfAnAddress(String spelling) throws IOException {
    post(trusting(), "http://" + spelling + ":" + webhook.port() + "/");

    assertThat(webhook.takeRequest(SOON).header("Host")).isEqualTo(webhook.hostAndPort());
    assertThat(sockets.asked).extracting(address -> address.getAddress()).containsOnly(LOOPBACK);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.1:%d/",
        "http://0x7f.1:%d/",
        "http://[::ffff:127.0.0.1]:%d/",
        "http://[::1]:%d/",
        "http://localhost:%d/",
        "http://me@example.com:%d/",
        "ftp://x.y:%d/"
      })
  void refusesABlockedUrlWithoutConnecting(String url) {
    Throwable thrown = failure(() -> post(strict(TO_LOOPBACK), url.formatted(webhook.port())));

    assertThat(thrown).isInstanceOf(UrlBlockedException.class);
    assertThat(sockets.asked).isEmpty();
  }

  @Test
  void saysWhyTheUrlIsBlocked() {
    assertThatThrownBy(() -> post(strict(TO_LOOPBACK), webhook.url()))
        .isInstanceOfSatisfying(
            UrlBlockedException.class,
            it -> assertThat(it.reason()).isEqualTo("127.0.0.1 is loopback (127.0.0.0/8)"))
        .hasMessage("URL blocked: 127.0.0.1 is loopback (127.0.0.0/8)");
  }

  @Test
  void refusesANameThatIsPublicAtTheCheckAndInnerAtTheConnection() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    Resolver rebinding = host -> List.of(asked.getAndIncrement() == 0 ? PUBLIC : LOOPBACK);
    String url = Vectors.byId("C178").given().path("url").stringValue();

    assertThat(UrlGuard.STRICT.resolve(url, rebinding)).isInstanceOf(Verdict.Allowed.class);
    assertThatThrownBy(() -> post(strict(rebinding), url))
        .isInstanceOf(UrlBlockedException.class)
        .hasMessageContaining("rebind.example resolves to an address that is refused: 127.0.0.1");
    assertThat(sockets.asked).isEmpty();
  }

  @Test
  void looksANameUpOnceForAConnectionAndGoesNowhereElse() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    Resolver changing = host -> List.of(asked.getAndIncrement() == 0 ? LOOPBACK : PUBLIC);
    GuardedHttp http = client(UrlGuard.of(List.of("a.example:" + webhook.port())), changing);

    post(http, "http://a.example:" + webhook.port() + "/");

    assertThat(asked).hasValue(1);
    assertThat(sockets.asked).extracting(address -> address.getAddress()).containsExactly(LOOPBACK);
  }

  @Test
  void lookupsMustAnswerWithPublicAddressesOnly() {
    assertThatThrownBy(() -> post(strict(host -> List.of(PUBLIC, LOOPBACK)), "http://a.example/"))
        .isInstanceOf(UrlBlockedException.class);
    assertThat(sockets.asked).isEmpty();
  }

  @Test
  void tellsAnUnknownNameFromABlockedOne() {
    assertThatThrownBy(() ->
            post(
                strict(host -> {
                  throw new UnknownHostException(host);
                }),
                "http://a.example/"))
        .isInstanceOf(UnknownHostException.class);
    assertThatThrownBy(() -> post(strict(host -> List.of()), "http://a.example/"))
        .isInstanceOf(UnknownHostException.class);
  }

  @Test
  void looksAtThePeerOfTheSocketOnceMore() {
    // The socket claims to go to a public address, and is connected to this machine.
    Throwable thrown =
        failure(() -> post(strict(host -> List.of(PUBLIC)), "http://a.example:" + webhook.port()));

    assertThat(thrown)
        .isInstanceOf(UrlBlockedException.class)
        .hasMessageContaining("the connection is to an address that is refused: 127.0.0.1");
    assertThat(sockets.asked).extracting(address -> address.getAddress()).containsExactly(PUBLIC);
    assertThat(webhook.requests()).isEmpty();
  }

  @Test
  void looksWhetherThePeerIsTheAddressInTheUrl() {
    Throwable thrown =
        failure(() -> post(strict(TO_LOOPBACK), "http://93.184.216.34:" + webhook.port() + "/"));

    assertThat(thrown)
        .isInstanceOf(UrlBlockedException.class)
        .hasMessageContaining("another address than the URL's");
    assertThat(webhook.requests()).isEmpty();
  }

  @Test
  void doesNotLendConnectionsToAClientWithAnotherAllowList() throws IOException {
    String url = "http://a.example:" + webhook.port() + "/";
    post(client(UrlGuard.of(List.of("a.example:" + webhook.port())), TO_LOOPBACK), url);

    assertThatThrownBy(() -> post(strict(TO_LOOPBACK), url))
        .isInstanceOf(UrlBlockedException.class);
    assertThat(webhook.requests()).hasSize(1);

    post(client(UrlGuard.of(List.of("a.example:" + webhook.port(), "b:1")), TO_LOOPBACK), url);
    assertThat(webhook.connections()).isEqualTo(2);
  }

  @Test
  void doesNotExtendAnAllowedPortToAnother() {
    try (StubWebhook other = StubWebhook.start()) {
      GuardedHttp http = client(UrlGuard.of(List.of("a.example:" + webhook.port())), TO_LOOPBACK);

      assertThatThrownBy(() -> post(http, "http://a.example:" + other.port() + "/"))
          .isInstanceOf(UrlBlockedException.class);
      assertThat(other.connections()).isZero();
    }
  }

  @Test
  void goesOnToTheNextAddressWhenOneDoesNotAnswer() throws IOException {
    GuardedHttp http =
        client(
            UrlGuard.of(List.of("a.example:" + webhook.port())), host -> List.of(NOBODY, LOOPBACK));

    assertThat(post(http, "http://a.example:" + webhook.port() + "/").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void followsNoRedirect(int status) throws IOException {
    webhook.answer(Answer.status(status).header("Location", webhook.url("/secret")));

    assertThat(post(trusting(), webhook.url()).status()).isEqualTo(status);
    assertThat(webhook.requests()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 407, 408, 421, 503})
  void triesNothingTwice(int status) throws IOException {
    webhook.answer(
        Answer.status(status)
            .header("Retry-After", "0")
            .header("WWW-Authenticate", "Basic realm=x")
            .header("Proxy-Authenticate", "Basic realm=x"));

    assertThat(failureOrStatus(status)).isEqualTo(status);
    assertThat(webhook.requests()).hasSize(1);
  }

  @Test
  void failsOnceWhenTheConnectionIsReset() {
    webhook.answer(Answer.reset());

    assertThatThrownBy(() -> post(trusting(), webhook.url())).isInstanceOf(IOException.class);
    assertThat(webhook.requests()).hasSize(1);
  }

  @Test
  void failsWhenTheAnswerIsNotHttpOrEndsEarly() {
    webhook.answer(Answer.garbage()).answer(Answer.of(200, "{}").contentLength(10));

    assertThatThrownBy(() -> post(trusting(), webhook.url())).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> post(trusting(), webhook.url())).isInstanceOf(IOException.class);
  }

  @Test
  void readsAnAnswerUpToItsLimit() throws IOException {
    webhook.answer(200, "x".repeat(LIMIT)).answer(200, "x".repeat(LIMIT + 1)).answer(200, "{}");
    GuardedHttp http = trusting();

    assertThat(post(http, webhook.url()).body()).hasSize(LIMIT);
    assertThatThrownBy(() -> post(http, webhook.url()))
        .isInstanceOf(ResponseTooLargeException.class)
        .hasMessage("response too large (more than 1048576 bytes)");
    assertThat(post(http, webhook.url()).body()).isEqualTo("{}");
  }

  @Test
  void readsOneBufferMoreThanTheLimitOfAnEndlessAnswer() {
    webhook.answer(Answer.endless());

    assertThatThrownBy(() -> post(trusting(), webhook.url()))
        .isInstanceOf(ResponseTooLargeException.class);
    assertThat(sockets.bytesRead.get()).isBetween((long) LIMIT, LIMIT + 3L * 8192);
  }

  @Test
  void believesALengthThatIsTooLarge() {
    webhook.answer(Answer.status(200).contentLength(2 * LIMIT));

    assertThatThrownBy(() -> post(trusting(), webhook.url()))
        .isInstanceOf(ResponseTooLargeException.class);
  }

  @Test
  void countsWhatACompressedAnswerBecomes() throws IOException {
    webhook
        .answer(Answer.of(200, "x".repeat(LIMIT)).gzip())
        .answer(Answer.of(200, "x".repeat(32 * LIMIT)).gzip());
    GuardedHttp http = trusting();

    assertThat(post(http, webhook.url()).body()).hasSize(LIMIT);
    long before = sockets.bytesRead.get();
    assertThatThrownBy(() -> post(http, webhook.url()))
        .isInstanceOf(ResponseTooLargeException.class);
    assertThat(sockets.bytesRead.get() - before).isLessThan(24 * 1024);
  }

  @Test
  void readsOnlyTheBeginningOfAnError() throws IOException {
    webhook.answer(500, "x".repeat(2 * LIMIT)).answer(500, "no");
    GuardedHttp http = trusting();

    HttpAnswer long500 = post(http, webhook.url());
    assertThat(long500.body()).hasSize(16 * 1024);
    assertThat(long500.truncated()).isTrue();
    assertThat(post(http, webhook.url())).isEqualTo(new HttpAnswer(500, null, "no", false));
  }

  @Test
  void sendsNoCookies() throws IOException {
    webhook.answer(Answer.of(200, "{}").header("Set-Cookie", "a=b"));
    GuardedHttp http = trusting();
    post(http, webhook.url());
    post(http, webhook.url());

    assertThat(webhook.requests()).extracting(it -> it.header("Cookie")).containsOnlyNulls();
  }

  @Test
  void asksNoProxy() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    ProxySelector before = ProxySelector.getDefault();
    ProxySelector.setDefault(
        new ProxySelector() {
          @Override
          public List<Proxy> select(URI uri) {
            asked.incrementAndGet();
            return List.of(Proxy.NO_PROXY);
          }

          @Override
          public void connectFailed(URI uri, SocketAddress address, IOException e) {}
        });
    try (GuardedHttp http = GuardedHttp.of(UrlGuard.of(List.of(webhook.hostAndPort())))) {
      post(http, webhook.url());
    } finally {
      ProxySelector.setDefault(before);
    }
    assertThat(asked).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void canBeCancelledFromAnotherThread(int dripping) {
    webhook.answer(dripping == 1 ? Answer.of(200, "abc").drip(SOON) : Answer.hang());
    AtomicReference<Runnable> cancel = new AtomicReference<>();
    CompletableFuture<Throwable> failed = inVirtualThread(cancel);
    webhook.takeRequest(SOON);
    cancel.get().run();

    assertThat(failed).succeedsWithin(SOON).isInstanceOf(IOException.class);
  }

  @Test
  void endsWhenItsVirtualThreadIsInterrupted() {
    webhook.answer(Answer.hang());
    CompletableFuture<Throwable> failed = new CompletableFuture<>();
    Thread thread =
        Thread.startVirtualThread(
            () -> failed.complete(failure(() -> post(trusting(), webhook.url()))));
    webhook.takeRequest(SOON);
    thread.interrupt();

    assertThat(failed).succeedsWithin(SOON).isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Host", "content-length", "Transfer-Encoding", "X Key", "", "X-\u00e9"})
  void refusesHeadersThatAreNotTheCallersToSet(String name) {
    assertThatThrownBy(() -> new HttpPost("http://a/", Map.of(name, "v"), "", 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"hush\n", "hush\r\nX: y", "hush\u0000", "hush\u00e9"})
  void doesNotQuoteTheValueOfABadHeader(String value) {
    assertThatThrownBy(() -> new HttpPost("http://a/", Map.of("X-Key", value), "", 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("X-Key")
        .hasMessageNotContaining("hush");
  }

  private int failureOrStatus(int status) throws IOException {
    try {
      return post(trusting(), webhook.url()).status();
    } catch (ProtocolException e) {
      // A 407 from a server that is no proxy.
      return status;
    }
  }

  private CompletableFuture<Throwable> inVirtualThread(AtomicReference<Runnable> cancel) {
    GuardedHttp http = trusting();
    HttpPost post = new HttpPost(webhook.url(), Map.of(), "{}", LIMIT);
    CompletableFuture<Throwable> failed = new CompletableFuture<>();
    Thread.startVirtualThread(() -> failed.complete(failure(() -> http.post(post, cancel::set))));
    return failed.orTimeout(SOON.toSeconds(), TimeUnit.SECONDS);
  }

  private GuardedHttp trusting() {
    return client(UrlGuard.of(List.of(webhook.hostAndPort())), TO_LOOPBACK);
  }

  private GuardedHttp strict(Resolver resolver) {
    return client(UrlGuard.STRICT, resolver);
  }

  private GuardedHttp client(UrlGuard guard, Resolver resolver) {
    GuardedHttp http = new GuardedHttp(guard, resolver, builder -> builder.socketFactory(sockets));
    clients.add(http);
    return http;
  }

  private static HttpAnswer post(GuardedHttp http, String url) throws IOException {
    return http.post(new HttpPost(url, Map.of(), "{}", LIMIT), GuardedHttpTest::never);
  }

  private static Throwable failure(ThrowingCallable task) {
    return catchThrowable(task);
  }

  private static void never(Runnable cancel) {}
}
