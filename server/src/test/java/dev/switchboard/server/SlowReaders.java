package dev.switchboard.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/// Clients that ask for the whole log of a conversation, and read one byte of it a second, also
/// what has come by when the server cuts them off.
final class SlowReaders implements AutoCloseable {
  private static final int BUFFER = 4 * 1024;
  private static final int SOME = 3;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final int count;
  private final AtomicInteger read = new AtomicInteger();

  /// @param token of the one of that number, which reads the conversation of that number
  SlowReaders(int port, int count, IntFunction<String> token) {
    this.count = count;
    for (int i = 0; i < count; i++) {
      String path = "/v1/conversations/c" + i + "/events";
      String own = token.apply(i);
      Future<Integer> unused = threads.submit(() -> read(port, path, own));
    }
  }

  private int read(int port, String path, String token) throws IOException, InterruptedException {
    try (Socket socket = new Socket()) {
      socket.setReceiveBufferSize(BUFFER);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      LoadReader.send(socket, "GET " + path, token, "Accept: text/event-stream", "");
      InputStream in = socket.getInputStream();
      while (in.read() >= 0) {
        read.incrementAndGet();
        TimeUnit.SECONDS.sleep(1);
      }
    }
    return read.get();
  }

  /// Waits until each has what it will have: some bytes read, and the buffers between full.
  void await() throws InterruptedException {
    while (read.get() < SOME * count) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    threads.close();
  }
}
