package dev.switchboard.webhook;

import static dev.switchboard.webhook.GuardedFixture.LOOPBACK;
import static dev.switchboard.webhook.GuardedFixture.PUBLIC;
import static dev.switchboard.webhook.GuardedFixture.TO_LOOPBACK;
import static dev.switchboard.webhook.GuardedFixture.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.switchboard.harness.Vectors;
import dev.switchboard.testing.StubWebhook;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Where the client connects, and where not.
class GuardedHttpAddressTest {
  private static final Duration SOON = Duration.ofMinutes(5);
  private static final InetAddress NOBODY = IpAddress.v4(0x7f000002).toInetAddress();

  private final GuardedFixture fixture = new GuardedFixture();
  private final StubWebhook webhook = fixture.webhook;
  private final TestSockets sockets = fixture.sockets;

  @AfterEach
  void close() {
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0x7f.1", "0177.0.0.1", "2130706433", "[::ffff:7f00:1]", "127.0.0.1."})
  void connectsToItsOwnReadingOfAnAddress(String spelling) throws IOException {
    post(fixture.trusting(), "http://" + spelling + ":" + webhook.port() + "/");

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
    Throwable thrown =
        catchThrowable(() -> post(fixture.strict(TO_LOOPBACK), url.formatted(webhook.port())));

    assertThat(thrown).isInstanceOf(UrlGuard.BlockedException.class);
    assertThat(sockets.asked).isEmpty();
  }

  @Test
  void saysWhyTheUrlIsBlocked() {
    assertThatThrownBy(() -> post(fixture.strict(TO_LOOPBACK), webhook.url()))
        .isInstanceOfSatisfying(
            UrlGuard.BlockedException.class,
            it -> assertThat(it.reason()).isEqualTo("127.0.0.1 is loopback (127.0.0.0/8)"))
        .hasMessage("URL blocked: 127.0.0.1 is loopback (127.0.0.0/8)");
  }

  @Test
  void refusesDnsRebinding() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    UrlGuard.Resolver rebinding = host -> List.of(asked.getAndIncrement() == 0 ? PUBLIC : LOOPBACK);
    String url = Vectors.byId("C178").given().path("url").stringValue();

    assertThat(UrlGuard.STRICT.resolve(url, rebinding))
        .isInstanceOf(UrlGuard.Verdict.Allowed.class);
    assertThatThrownBy(() -> post(fixture.strict(rebinding), url))
        .isInstanceOf(UrlGuard.BlockedException.class)
        .hasMessageContaining("rebind.example resolves to an address that is refused: 127.0.0.1");
    assertThat(sockets.asked).isEmpty();
  }

  @Test
  void looksANameUpOnceForAConnectionAndGoesNowhereElse() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    UrlGuard.Resolver changing = host -> List.of(asked.getAndIncrement() == 0 ? LOOPBACK : PUBLIC);
    GuardedHttp http =
        fixture.client(UrlGuard.of(List.of("a.example:" + webhook.port())), changing);

    post(http, "http://a.example:" + webhook.port() + "/");

    assertThat(asked).hasValue(1);
    assertThat(sockets.asked).extracting(address -> address.getAddress()).containsExactly(LOOPBACK);
  }

  @Test
  void lookupsMustAnswerWithPublicAddressesOnly() {
    assertThatThrownBy(
            () -> post(fixture.strict(host -> List.of(PUBLIC, LOOPBACK)), "http://a.example/"))
        .isInstanceOf(UrlGuard.BlockedException.class);
    assertThat(sockets.asked).isEmpty();
  }

  @Test
  void tellsAnUnknownNameFromABlockedOne() {
    assertThatThrownBy(() ->
            post(
                fixture.strict(host -> {
                  throw new UnknownHostException(host);
                }),
                "http://a.example/"))
        .isInstanceOf(UnknownHostException.class);
    assertThatThrownBy(() -> post(fixture.strict(host -> List.of()), "http://a.example/"))
        .isInstanceOf(UnknownHostException.class);
  }

  @Test
  void looksAtThePeerOfTheSocketOnceMore() {
    // The socket claims to go to a public address, and is connected to this machine.
    Throwable thrown =
        catchThrowable(() ->
            post(fixture.strict(host -> List.of(PUBLIC)), "http://a.example:" + webhook.port()));

    assertThat(thrown)
        .isInstanceOf(UrlGuard.BlockedException.class)
        .hasMessageContaining("the connection is to an address that is refused: 127.0.0.1");
    assertThat(sockets.asked).extracting(address -> address.getAddress()).containsExactly(PUBLIC);
    assertThat(webhook.requests()).isEmpty();
  }

  @Test
  void looksWhetherThePeerIsTheAddressInTheUrl() {
    Throwable thrown =
        catchThrowable(() ->
            post(fixture.strict(TO_LOOPBACK), "http://93.184.216.34:" + webhook.port() + "/"));

    assertThat(thrown)
        .isInstanceOf(UrlGuard.BlockedException.class)
        .hasMessageContaining("another address than the URL's");
    assertThat(webhook.requests()).isEmpty();
  }

  @Test
  void doesNotLendConnectionsToAClientWithAnotherAllowList() throws IOException {
    String url = "http://a.example:" + webhook.port() + "/";
    post(fixture.client(UrlGuard.of(List.of("a.example:" + webhook.port())), TO_LOOPBACK), url);

    assertThatThrownBy(() -> post(fixture.strict(TO_LOOPBACK), url))
        .isInstanceOf(UrlGuard.BlockedException.class);
    assertThat(webhook.requests()).hasSize(1);

    post(
        fixture.client(UrlGuard.of(List.of("a.example:" + webhook.port(), "b:1")), TO_LOOPBACK),
        url);
    assertThat(webhook.connections()).isEqualTo(2);
  }

  @Test
  void doesNotExtendAnAllowedPortToAnother() {
    try (StubWebhook other = StubWebhook.start()) {
      GuardedHttp http =
          fixture.client(UrlGuard.of(List.of("a.example:" + webhook.port())), TO_LOOPBACK);

      assertThatThrownBy(() -> post(http, "http://a.example:" + other.port() + "/"))
          .isInstanceOf(UrlGuard.BlockedException.class);
      assertThat(other.connections()).isZero();
    }
  }

  @Test
  void goesOnToTheNextAddressWhenOneDoesNotAnswer() throws IOException {
    GuardedHttp http =
        fixture.client(
            UrlGuard.of(List.of("a.example:" + webhook.port())), host -> List.of(NOBODY, LOOPBACK));

    assertThat(post(http, "http://a.example:" + webhook.port() + "/").status()).isEqualTo(200);
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
}
