package dev.switchboard.webhook;

import dev.switchboard.http.HttpAnswer;
import dev.switchboard.http.HttpRequest;
import dev.switchboard.testing.StubWebhook;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A webhook on loopback and clients whose sockets go nowhere else.
final class GuardedFixture implements AutoCloseable {
  static final InetAddress PUBLIC = IpAddress.v4(0x5db8d822).toInetAddress();
  static final InetAddress LOOPBACK = IpAddress.v4(0x7f000001).toInetAddress();
  static final UrlGuard.Resolver TO_LOOPBACK = host -> List.of(LOOPBACK);
  static final int LIMIT = 1 << 20;

  final StubWebhook webhook = StubWebhook.start();
  final TestSockets sockets = new TestSockets();
  private final List<GuardedHttp> clients = new ArrayList<>();

  GuardedHttp trusting() {
    return client(UrlGuard.of(List.of(webhook.hostAndPort())), TO_LOOPBACK);
  }

  GuardedHttp strict(UrlGuard.Resolver resolver) {
    return client(UrlGuard.STRICT, resolver);
  }

  GuardedHttp client(UrlGuard guard, UrlGuard.Resolver resolver) {
    GuardedHttp http = new GuardedHttp(guard, resolver, builder -> builder.socketFactory(sockets));
    clients.add(http);
    return http;
  }

  static HttpAnswer post(GuardedHttp http, String url) throws IOException {
    return http.send(HttpRequest.post(url, Map.of(), "{}", LIMIT), cancel -> {});
  }

  @Override
  public void close() {
    webhook.close();
    clients.forEach(GuardedHttp::close);
  }
}
