package dev.switchboard.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.switchboard.http.CountedSocket;
import dev.switchboard.http.DirectSockets;
import dev.switchboard.http.HttpAnswer;
import dev.switchboard.http.HttpRequest;
import dev.switchboard.http.PendingConnection;
import dev.switchboard.testing.StubWebhook;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import okhttp3.Call;
import okhttp3.EventListener;
import org.junit.jupiter.api.Test;

class PendingConnectionTest {
  private static final InetAddress LOOPBACK = IpAddress.v4(0x7f000001).toInetAddress();

  private final AtomicReference<Runnable> cancel = new AtomicReference<>(() -> {});

  @Test
  void connectsNowhereWhenItWasCancelledRightAfterTheLookUp() throws IOException {
    EventListener cancelling =
        new EventListener() {
          @Override
          public void dnsEnd(Call call, String domain, List<InetAddress> addresses) {
            cancel.get().run();
          }
        };
    // Takes a connection and answers no handshake.
    try (ServerSocket server = new ServerSocket(0, 50, LOOPBACK)) {
      String host = "a.example:" + server.getLocalPort();
      GuardedHttp http =
          new GuardedHttp(
              UrlGuard.of(List.of(host)),
              name -> List.of(LOOPBACK),
              builder -> builder.eventListener(cancelling));
      assertThatThrownBy(() -> post(http, "https://" + host + "/")).isInstanceOf(IOException.class);
    }
  }

  @Test
  void whatIsWrittenLeavesAtOnce() throws IOException {
    try (Socket socket = DirectSockets.INSTANCE.createSocket()) {
      assertThat(socket.getTcpNoDelay()).isTrue();
    }
  }

  @Test
  void closesASocketThatIsMadeAfterItWasCancelled() throws IOException {
    PendingConnection opening = new PendingConnection();
    opening.cancel();
    try (CountedSocket socket = new CountedSocket()) {
      opening.connecting(socket);
      assertThat(socket.isClosed()).isTrue();
    }
  }

  @Test
  void leavesASocketAloneThatIsConnected() throws IOException {
    PendingConnection opening = new PendingConnection();
    try (CountedSocket socket = new CountedSocket()) {
      opening.connecting(socket);
      opening.connected();
      opening.cancel();
      assertThat(socket.isClosed()).isFalse();
    }
  }

  @Test
  void leavesTheConnectionToOthersWhenItIsCancelledTooLate() throws IOException {
    try (StubWebhook webhook = StubWebhook.start();
        GuardedHttp http = GuardedHttp.allowing(webhook.hostAndPort())) {
      post(http, webhook.url());
      cancel.get().run();
      post(http, webhook.url());
      assertThat(webhook.connections()).isOne();
    }
    assertThat(PendingConnection.current()).isNull();
  }

  @Test
  void handsOnWhatAResolverThrows() {
    for (Throwable thrown :
        List.of(new UnknownHostException("x"), new IllegalStateException(), new AssertionError())) {
      UrlGuard.Resolver broken =
          host -> {
            throw PendingConnectionTest.<UnknownHostException>any(thrown);
          };
      assertThat(
              catchThrowable(
                  () -> new PendingConnection().lookUp(() -> broken.resolve("a.example"))))
          .isSameAs(thrown);
    }
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> E any(Throwable thrown) throws E {
    throw (E) thrown;
  }

  private HttpAnswer post(GuardedHttp http, String url) throws IOException {
    return http.send(HttpRequest.post(url, Map.of(), "{}", 100), cancel::set);
  }
}
