package dev.switchboard.spec;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// A server on loopback that writes what it is told, byte for byte, after each request on a
/// connection that it keeps.
final class RawServer implements AutoCloseable {
  /// What is written after a request.
  interface Script {
    /// Answers a request on that connection.
    ///
    /// @param number of the request, from 1, over all connections
    void answer(int number, Connection connection) throws Exception;
  }

  /// Where it is written.
  record Connection(Socket socket) {
    void write(String text) throws IOException {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
      socket.getOutputStream().flush();
    }
  }

  private final ServerSocket server;
  private final Script script;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger requests = new AtomicInteger();
  final AtomicInteger connections = new AtomicInteger();

  RawServer(Script script) {
    this.script = script;
    try {
      server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.startVirtualThread(this::accept);
  }

  static String ok(String body) {
    return "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
  }

  String hostAndPort() {
    return "127.0.0.1:" + server.getLocalPort();
  }

  URI url() {
    return URI.create("http://" + hostAndPort() + "/");
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        open.add(socket);
        connections.incrementAndGet();
        Thread.startVirtualThread(() -> serve(socket));
      } catch (IOException e) {
        // The test is over.
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      while (readRequest(socket.getInputStream())) {
        script.answer(requests.incrementAndGet(), new Connection(socket));
      }
    } catch (Exception e) {
      // The client went away, or the test is over.
    }
  }

  /// Whether there was one.
  private static boolean readRequest(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (!head.toString().endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        return false;
      }
      head.append((char) next);
    }
    String length = head.toString().replaceFirst("(?s).*(?i:content-length): (\\d+).*", "$1");
    return in.readNBytes(Integer.parseInt(length)).length == Integer.parseInt(length);
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}
