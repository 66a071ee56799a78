package dev.switchboard.server.access;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A client that sends what it is told to the byte, on one connection for each request.
record RawHttp(int port) {
  /// @param head the first line and the headers
  record Answer(int status, List<String> head, String body) {
    /// The value of the only header of that name; null if there is none.
    @Nullable String header(String name) {
      String start = name.toLowerCase(Locale.ROOT) + ": ";
      List<String> values =
          head.stream()
              .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(start))
              .map(line -> line.substring(start.length()))
              .toList();
      if (values.size() > 1) {
        throw new AssertionError(name + " is there twice: " + values);
      }
      return values.isEmpty() ? null : values.getFirst();
    }
  }

  /// What is answered to a request with that first line, a right `Host`, and those headers.
  Answer send(String line, String... headers) throws IOException {
    return sendBody("", line, headers);
  }

  Answer sendBody(String body, String line, String... headers) throws IOException {
    StringBuilder text = new StringBuilder(line + " HTTP/1.1\r\nHost: localhost:" + port + "\r\n");
    for (String header : headers) {
      text.append(header).append("\r\n");
    }
    if (!body.isEmpty()) {
      int length = body.getBytes(StandardCharsets.UTF_8).length;
      text.append("Content-Length: ").append(length).append("\r\n");
    }
    return exchange(text + "Connection: close\r\n\r\n" + body);
  }

  /// What is answered to exactly that text.
  Answer exchange(String text) throws IOException {
    try (Socket socket = open()) {
      try {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().flush();
      } catch (IOException e) {
        // A server that refuses a large request may close before it has read all of it.
      }
      return read(socket.getInputStream());
    }
  }

  /// A connection for a test that sends bit by bit.
  Socket open() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(300_000);
    return socket;
  }

  /// Reads until the answer is whole, or the connection is closed.
  static Answer read(InputStream in) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] part = new byte[8192];
    try {
      for (int n = in.read(part); n >= 0; n = in.read(part)) {
        all.write(part, 0, n);
        Answer answer = parsed(all);
        if (answer.status() > 0 && isWhole(answer)) {
          return answer;
        }
      }
    } catch (SocketException e) {
      // Closed with a part of the request unread; the answer is there all the same.
    }
    return parsed(all);
  }

  private static boolean isWhole(Answer answer) {
    String length = answer.header("Content-Length");
    return length != null
        && answer.body().getBytes(StandardCharsets.UTF_8).length == Integer.parseInt(length);
  }

  private static Answer parsed(ByteArrayOutputStream bytes) {
    String[] parts = bytes.toString(StandardCharsets.UTF_8).split("\r\n\r\n", 2);
    if (parts.length < 2) {
      return new Answer(0, List.of(), "");
    }
    List<String> head = parts[0].lines().toList();
    return new Answer(Integer.parseInt(head.getFirst().split(" ")[1]), head, parts[1]);
  }
}
