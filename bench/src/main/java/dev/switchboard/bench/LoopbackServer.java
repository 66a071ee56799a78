package dev.switchboard.bench;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// The least that answers a POST: one thread a connection, nothing remembered, always the same
/// answer.
final class LoopbackServer implements AutoCloseable {
  private static final byte[] ANSWER =
      """
      HTTP/1.1 200 OK\r
      Content-Type: application/json\r
      Content-Length: 30\r
      \r
      {"status":"shipped","parts":3}\
      """
          .getBytes(StandardCharsets.US_ASCII);

  private final ServerSocket server;

  LoopbackServer() throws IOException {
    server = new ServerSocket(0, 256, InetAddress.getByName("127.0.0.1"));
    Thread.ofPlatform().daemon().start(this::accept);
  }

  String hostAndPort() {
    return "127.0.0.1:" + server.getLocalPort();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        Thread.ofPlatform().daemon().start(() -> serve(socket));
      } catch (IOException e) {
        if (!server.isClosed()) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private static void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      OutputStream out = socket.getOutputStream();
      while (skipRequest(in)) {
        out.write(ANSWER);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Whether there was another request.
  private static boolean skipRequest(InputStream in) throws IOException {
    int length = 0;
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next >= 0; next = in.read()) {
      if (next != '\n') {
        line.append((char) next);
      } else if (line.length() > 1) {
        length = Math.max(length, contentLength(line.toString()));
        line.setLength(0);
      } else {
        in.skipNBytes(length);
        return true;
      }
    }
    return false;
  }

  private static int contentLength(String line) {
    String name = "content-length:";
    return line.toLowerCase(Locale.ROOT).startsWith(name)
        ? Integer.parseInt(line.substring(name.length()).strip())
        : 0;
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
