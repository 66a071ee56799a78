package dev.switchboard.testing;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A connection to a [StubWebhook]: it reads requests and sends the scripted answers, until either
/// side closes it.
final class StubConnection {
  private static final Duration FOR_EVER = Duration.ofDays(1);

  private final StubWebhook webhook;
  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;

  StubConnection(StubWebhook webhook, Socket socket) throws IOException {
    this.webhook = webhook;
    this.socket = socket;
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream());
    out = new BufferedOutputStream(socket.getOutputStream());
  }

  void serve() throws IOException {
    boolean more = true;
    while (more) {
      StubRequest request = read();
      if (request == null) {
        return;
      }
      StubAnswer answer = webhook.answerTo(request);
      if (!answer.delay().isZero()) {
        webhook.pause(answer.delay());
      }
      more = send(answer) && !"close".equalsIgnoreCase(request.header("Connection"));
    }
  }

  private @Nullable StubRequest read() throws IOException {
    String line = line();
    if (line == null) {
      return null;
    }
    String[] words = line.split(" ", 3);
    if (words.length < 3) {
      throw new EOFException("no request line");
    }
    Map<String, String> headers = headers();
    return new StubRequest(words[0], words[1], headers, body(headers));
  }

  private Map<String, String> headers() throws IOException {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (String line = line(); line != null && !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        String value = line.substring(colon + 1).strip();
        headers.merge(line.substring(0, colon), value, (one, other) -> one + ", " + other);
      }
    }
    return headers;
  }

  private String body(Map<String, String> headers) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    if ("chunked".equalsIgnoreCase(headers.get("Transfer-Encoding"))) {
      for (int size = chunkSize(); size > 0; size = chunkSize()) {
        body.write(in.readNBytes(size));
        line();
      }
      line();
    } else {
      body.write(in.readNBytes(Integer.parseInt(headers.getOrDefault("Content-Length", "0"))));
    }
    return body.toString(StandardCharsets.UTF_8);
  }

  private int chunkSize() throws IOException {
    String line = line();
    return line == null ? 0 : Integer.parseInt(line.split(";", 2)[0].strip(), 16);
  }

  private @Nullable String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int next = in.read();
    if (next < 0) {
      return null;
    }
    while (next >= 0 && next != '\n') {
      line.write(next);
      next = in.read();
    }
    return line.toString(StandardCharsets.UTF_8).stripTrailing();
  }

  /// Returns whether the connection can take another request.
  private boolean send(StubAnswer answer) throws IOException {
    return switch (answer.manner()) {
      case WHOLE -> whole(answer);
      case DRIP -> drip(answer);
      case ENDLESS -> endless(answer);
      case GARBAGE -> garbage(answer);
      case RESET -> reset();
      case HANG -> hang();
    };
  }

  private boolean whole(StubAnswer answer) throws IOException {
    head(answer);
    webhook.writing(answer.body().length);
    out.write(answer.body());
    out.flush();
    return honest(answer);
  }

  private boolean drip(StubAnswer answer) throws IOException {
    head(answer);
    out.flush();
    for (byte one : answer.body()) {
      webhook.writing(1);
      out.write(one);
      out.flush();
      webhook.pause(answer.pause());
    }
    return honest(answer);
  }

  private boolean endless(StubAnswer answer) throws IOException {
    write(statusLine(answer).append("Transfer-Encoding: chunked\r\n\r\n"));
    String size = Integer.toHexString(answer.body().length) + "\r\n";
    while (true) {
      webhook.writing(answer.body().length);
      write(size);
      out.write(answer.body());
      write("\r\n");
      out.flush();
    }
  }

  private boolean garbage(StubAnswer answer) throws IOException {
    out.write(answer.body());
    out.flush();
    return false;
  }

  private boolean reset() throws IOException {
    socket.setSoLinger(true, 0);
    return false;
  }

  private boolean hang() throws IOException {
    webhook.pause(FOR_EVER);
    return false;
  }

  private void head(StubAnswer answer) throws IOException {
    StringBuilder head = statusLine(answer);
    if (answer.header("Content-Length") == null && answer.status() != 204) {
      head.append("Content-Length: ").append(answer.body().length).append("\r\n");
    }
    write(head.append("\r\n"));
  }

  private void write(CharSequence text) throws IOException {
    out.write(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static StringBuilder statusLine(StubAnswer answer) {
    StringBuilder head =
        new StringBuilder("HTTP/1.1 ").append(answer.status()).append(" Scripted\r\n");
    answer
        .headers()
        .forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    return head;
  }

  private static boolean honest(StubAnswer answer) {
    String claimed = answer.header("Content-Length");
    return claimed == null || claimed.equals(String.valueOf(answer.body().length));
  }
}
