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

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger read = new AtomicInteger();

  /// @param token of the one of that number, which reads the conversation of that number
  SlowReaders(int port, int count, IntFunction<String> token) {
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

  /// How many bytes they have read.
  int read() {
    return read.get();
  }

  @Override
  public void close() {
    threads.shutdownNow();
    threads.close();
  }
}
