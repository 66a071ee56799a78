package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.stream.LongStream;

/// A connection with one stream; every event is one behind the last.
///
/// For one thread at a time.
final class LoadReader implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;
  private final StringBuilder line = new StringBuilder();
  private final StringBuilder head = new StringBuilder();
  private int left; // of the chunk
  private long last;
  private long lastData;

  LoadReader(int port, String path, String token) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    send(socket, "GET " + path, token, "Accept: text/event-stream", "");
    in = new BufferedInputStream(socket.getInputStream());
    assertThat(raw()).contains("200");
    while (!raw().isEmpty()) {}
  }

  private String raw() throws IOException {
    head.setLength(0);
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("the stream has ended at event " + last);
      }
      if (c != '\r') {
        head.append((char) c);
      }
    }
    return head.toString();
  }

  private int next() throws IOException {
    if (left == 0) {
      left = Integer.parseInt(raw(), 16);
      if (left == 0) {
        throw new IOException("the stream has ended at event " + last);
      }
    }
    int c = in.read();
    left--;
    if (left == 0) {
      in.skipNBytes(2);
    }
    return c;
  }

  /// Reads so many events, or up to the end of a turn; adds the latency of those that tell when
  /// they were said. How many there were.
  int read(int most, LongStream.Builder latencies) throws IOException {
    long before = lastData;
    boolean done = false;
    while (!done && lastData < before + most) {
      line.setLength(0);
      for (int c = next(); c != '\n'; c = next()) {
        line.append((char) c);
      }
      if (line.indexOf("id: ") == 0) {
        long number = Long.parseLong(line.substring(4));
        assertThat(number).isEqualTo(last + 1);
        last = number;
      } else if (line.indexOf("data: ") == 0) {
        assertThat(++lastData).isEqualTo(last);
        done = line.indexOf("\"type\":\"done\"") >= 0;
        int at = line.indexOf("\"@");
        if (at >= 0) {
          String said = line.substring(at + 2, line.indexOf(" ", at));
          latencies.add(System.nanoTime() - Long.parseLong(said));
        }
      }
    }
    return (int) (lastData - before);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  /// Sends a request.
  static void send(Socket socket, String line, String token, String more, String body)
      throws IOException {
    String text =
        String.join(
            "\r\n",
            line + " HTTP/1.1",
            "Host: 127.0.0.1:" + socket.getPort(),
            "Authorization: Bearer " + token,
            more,
            "Content-Length: " + body.length(),
            "",
            body);
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
  }
}
