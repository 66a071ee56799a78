package dev.switchboard.spec;

import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubWebhook;
import dev.switchboard.webhook.GuardedHttp;
import dev.switchboard.webhook.UrlGuard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/// Where a request can get stuck, each made to happen on loopback.
enum Trouble {
  NO_ANSWER {
    @Override
    Stuck make() {
      return answering(StubAnswer.hang());
    }
  },
  DRIP {
    @Override
    Stuck make() {
      return answering(StubAnswer.of(200, "x".repeat(100_000)).drip(Duration.ofMillis(5)));
    }
  },
  SLOW_HEAD {
    @Override
    Stuck make() {
      return answering(StubAnswer.of(200, "{}").delay(Duration.ofHours(1)));
    }
  },
  LOOK_UP {
    @Override
    Stuck make() {
      CountDownLatch closed = new CountDownLatch(1);
      UrlGuard.Resolver hanging =
          host -> {
            // As a look-up does, it takes no notice of interrupts.
            boolean waiting = true;
            while (waiting) {
              try {
                closed.await();
                waiting = false;
              } catch (InterruptedException e) {
                // Goes on.
              }
            }
            return List.of(LOOPBACK);
          };
      GuardedHttp network = GuardedHttp.of(UrlGuard.STRICT, hanging);
      return new Stuck(URI.create("http://hanging.example/"), network, closed::countDown);
    }
  },
  CONNECT {
    @Override
    Stuck make() throws IOException {
      ServerSocket server = new ServerSocket(0, 1, LOOPBACK);
      List<Socket> crowd = new ArrayList<>();
      // Until the system takes no more for a server that accepts none.
      for (boolean room = true; room && crowd.size() < 100; ) {
        Socket socket = new Socket();
        crowd.add(socket);
        try {
          socket.connect(server.getLocalSocketAddress(), 30);
        } catch (IOException e) {
          room = false;
        }
      }
      return stuck("http", server, crowd);
    }
  },
  HANDSHAKE {
    @Override
    Stuck make() throws IOException {
      return stuck("https", new ServerSocket(0, 50, LOOPBACK), List.of());
    }
  };

  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  /// A place where requests get stuck until it is closed.
  record Stuck(URI url, GuardedHttp network, Runnable closing) implements AutoCloseable {
    @Override
    public void close() {
      closing.run();
      network.close();
    }
  }

  abstract Stuck make() throws IOException;

  private static Stuck answering(StubAnswer answer) {
    StubWebhook webhook = StubWebhook.start().answer(answer);
    return new Stuck(
        URI.create(webhook.url()), GuardedHttp.allowing(webhook.hostAndPort()), webhook::close);
  }

  private static Stuck stuck(String scheme, ServerSocket server, List<Socket> crowd) {
    String host = "127.0.0.1:" + server.getLocalPort();
    return new Stuck(
        URI.create(scheme + "://" + host + "/"),
        GuardedHttp.allowing(host),
        () -> {
          try {
            server.close();
            for (Socket socket : crowd) {
              socket.close();
            }
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }
}
