package dev.switchboard.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.http.HttpRequest;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.testing.StubWebhook;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import javax.net.SocketFactory;
import org.junit.jupiter.api.Test;

class CancellingTest {
  private static final Duration SOON = Duration.ofMinutes(5);
  // In which a request would end that does not wait for its cancelling.
  private static final Duration A_WHILE = Duration.ofMillis(100);

  private final CountDownLatch closing = new CountDownLatch(1);
  private final CountDownLatch mayClose = new CountDownLatch(1);
  private final CountDownLatch mayAnswer = new CountDownLatch(1);
  private final CountDownLatch mayAnswerAgain = new CountDownLatch(1);

  @Test
  void closesNoConnectionThatAnotherRequestHasGot() throws Exception {
    try (StubWebhook webhook =
            StubWebhook.start()
                .answer(request -> after(mayAnswer, request))
                .answer(request -> after(mayAnswerAgain, request));
        GuardedHttp http = slowToClose(webhook)) {
      AtomicReference<Runnable> cancel = new AtomicReference<>();
      CompletableFuture<Integer> cancelled = new CompletableFuture<>();
      CompletableFuture<Integer> other = new CompletableFuture<>();
      Thread first = start(http, webhook, cancel::set, cancelled);
      webhook.takeRequest(SOON);
      Thread canceller = Thread.startVirtualThread(cancel.get());
      closing.await();
      mayAnswer.countDown();
      first.join(A_WHILE);
      Thread second = start(http, webhook, unused -> {}, other);
      webhook.takeRequest(SOON);
      mayClose.countDown();
      canceller.join();
      mayAnswerAgain.countDown();

      assertThat(other).succeedsWithin(SOON).isEqualTo(200);
      second.join();
      first.join();
    }
  }

  private static StubAnswer after(CountDownLatch latch, StubRequest request) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("no answer to " + request.path(), e);
    }
    return StubAnswer.of(200, "{}");
  }

  private static Thread start(
      GuardedHttp http,
      StubWebhook webhook,
      Consumer<Runnable> onCancel,
      CompletableFuture<Integer> status) {
    return Thread.startVirtualThread(() -> {
      try {
        HttpRequest post = HttpRequest.post(webhook.url(), Map.of(), "{}", 99);
        status.complete(http.send(post, onCancel).status());
      } catch (IOException e) {
        status.completeExceptionally(e);
      }
    });
  }

  private GuardedHttp slowToClose(StubWebhook webhook) {
    return new GuardedHttp(
        UrlGuard.of(List.of(webhook.hostAndPort())),
        UrlGuard.Resolver.SYSTEM,
        builder -> builder.socketFactory(new SlowSockets()));
  }

  private final class SlowSockets extends SocketFactory {
    @Override
    public Socket createSocket() {
      return new Socket(Proxy.NO_PROXY) {
        @Override
        public void close() throws IOException {
          closing.countDown();
          try {
            mayClose.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          super.close();
        }
      };
    }

    @Override
    public Socket createSocket(String host, int port) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) {
      throw new UnsupportedOperationException();
    }
  }
}
