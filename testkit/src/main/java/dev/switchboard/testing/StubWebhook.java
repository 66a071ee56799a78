package dev.switchboard.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import javax.net.ServerSocketFactory;
import org.jspecify.annotations.Nullable;

/// A real HTTP/1.1 server on 127.0.0.1 that answers by a script, and records its requests.
///
/// Answers are used in order, the last one repeatedly. Without a script it answers 200 and `{}`; if
/// a function of the script throws, 500. Thread-safe.
///
/// ```java
/// try (StubWebhook webhook = StubWebhook.start()) {
///   webhook.answer(StubAnswer.status(503).header("Retry-After", "2")).answer(200, "{\"ok\":true}");
///   ...
///   assertThat(webhook.takeRequest(Duration.ofSeconds(5)).path()).isEqualTo("/orders");
/// }
/// ```
public final class StubWebhook implements AutoCloseable {
  private static final int BACKLOG = 1024;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final ServerSocket server;
  private final Thread accepting;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger broken = new AtomicInteger();
  private final AtomicLong bodyBytes = new AtomicLong();
  private final LinkedBlockingQueue<StubRequest> fresh = new LinkedBlockingQueue<>();
  // All guarded by this.
  private final List<StubRequest> requests = new ArrayList<>();
  private final List<Function<StubRequest, StubAnswer>> script = new ArrayList<>();
  private int current = -1;

  private StubWebhook(ServerSocket server) {
    this.server = server;
    accepting = Thread.ofVirtual().name("stub-webhook").unstarted(this::accept);
  }

  /// A running server on a free port.
  public static StubWebhook start() {
    return start(ServerSocketFactory.getDefault());
  }

  /// A running server with sockets of this factory, for TLS.
  public static StubWebhook start(ServerSocketFactory sockets) {
    try {
      InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
      StubWebhook webhook = new StubWebhook(sockets.createServerSocket(0, BACKLOG, loopback));
      webhook.accepting.start();
      return webhook;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Adds an answer to the script.
  public StubWebhook answer(int status, String body) {
    return answer(StubAnswer.of(status, body));
  }

  /// Adds an answer to the script.
  public StubWebhook answer(StubAnswer answer) {
    return answer(request -> answer);
  }

  /// Adds an answer that is computed from the request.
  public synchronized StubWebhook answer(Function<StubRequest, StubAnswer> answer) {
    script.add(answer);
    return this;
  }

  /// `http://127.0.0.1:port/`.
  public String url() {
    return url("/");
  }

  /// `http://127.0.0.1:port` and this path.
  ///
  /// @param path begins with a slash
  public String url(String path) {
    return "http://" + hostAndPort() + path;
  }

  /// `127.0.0.1:port`, as in an allow list.
  public String hostAndPort() {
    return "127.0.0.1:" + port();
  }

  /// The port of the server.
  public int port() {
    return server.getLocalPort();
  }

  /// All requests, in order.
  public synchronized List<StubRequest> requests() {
    return List.copyOf(requests);
  }

  /// The next request that was not taken yet.
  ///
  /// @throws AssertionError when none arrives in time
  public StubRequest takeRequest(Duration atMost) {
    StubRequest request = poll(atMost);
    if (request == null) {
      throw new AssertionError("no request came within " + atMost.toMillis() + " ms");
    }
    return request;
  }

  /// The number of connections so far.
  public int connections() {
    return connections.get();
  }

  /// The number of connections that broke before a request or an answer was complete.
  public int brokenConnections() {
    return broken.get();
  }

  /// The number of bytes of bodies written, as compressed, including writes that block.
  public long bodyBytesWritten() {
    return bodyBytes.get();
  }

  /// Stops the server and closes every connection.
  @Override
  public void close() {
    closed.countDown();
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    awaitAccepted();
    open.forEach(this::end);
  }

  /// Waits until the port accepts connections.
  private void awaitAccepted() {
    try {
      boolean unused = accepting.join(PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  StubAnswer answerTo(StubRequest request) {
    Function<StubRequest, StubAnswer> answer;
    synchronized (this) {
      requests.add(request);
      fresh.add(request);
      current = Math.min(current + 1, script.size() - 1);
      answer = script.isEmpty() ? any -> StubAnswer.of(200, "{}") : script.get(current);
    }
    try {
      return answer.apply(request);
    } catch (RuntimeException | AssertionError e) {
      return StubAnswer.of(500, "The script of this webhook failed: " + e);
    }
  }

  void writing(int bytes) {
    bodyBytes.addAndGet(bytes);
  }

  /// Waits until that time has passed or this is closed.
  void pause(Duration time) throws IOException {
    try {
      if (closed.await(time.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new SocketException("closed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SocketException("interrupted");
    }
  }

  private @Nullable StubRequest poll(Duration atMost) {
    try {
      return fresh.poll(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  private void accept() {
    while (!server.isClosed()) {
      Socket socket = acceptOne();
      if (socket != null) {
        connections.incrementAndGet();
        Thread.ofVirtual().name("stub-webhook-connection").start(() -> serve(socket));
      }
    }
  }

  private @Nullable Socket acceptOne() {
    try {
      Socket socket = server.accept();
      open.add(socket);
      if (server.isClosed()) {
        end(socket);
      }
      return socket;
    } catch (IOException e) {
      // Closed, or the client has gone before the connection was accepted.
      return null;
    }
  }

  private void serve(Socket socket) {
    try {
      new StubConnection(this, socket).serve();
    } catch (IOException clientWentAway) {
      broken.incrementAndGet();
    } finally {
      end(socket);
    }
  }

  private void end(Socket socket) {
    open.remove(socket);
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
