package dev.switchboard.provider;

import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A request and its answer, as two files: the request's path and body as JSON, and the answer as
/// its status, its headers, an empty line and its body.
///
/// @param headers of the answer, with `Delay` for the milliseconds before it and `Cut` where it
///   broke off
record Exchange(
    String path, JsonNode body, int status, Map<String, String> headers, String answer) {
  private static final String DELAY = "Delay";
  private static final String CUT = "Cut";
  private static final String REQUEST = "-request.json";

  /// Whether this is the request of the exchange.
  boolean answers(StubRequest request) {
    return request.path().equals(path) && request.json().tree().equals(body);
  }

  /// Whether the answer is a complete stream of events.
  boolean isStream() {
    String type = headers.getOrDefault("Content-Type", "");
    return status == 200 && type.startsWith("text/event-stream") && !headers.containsKey(CUT);
  }

  /// The answer as a server of ours sends it.
  StubAnswer stub() {
    StubAnswer stub = StubAnswer.of(status, answer);
    for (Map.Entry<String, String> header : headers.entrySet()) {
      stub =
          switch (header.getKey()) {
            case DELAY -> stub.delay(Duration.ofMillis(Long.parseLong(header.getValue())));
            case CUT -> stub.contentLength(answer.length() + 1000L);
            default -> stub.header(header.getKey(), header.getValue());
          };
    }
    return stub;
  }

  static Map<String, String> headers(
      @Nullable String contentType, @Nullable String retryAfter, Duration delay, boolean cut) {
    Map<String, String> headers = new TreeMap<>();
    if (contentType != null) {
      headers.put("Content-Type", contentType);
    }
    if (retryAfter != null) {
      headers.put("Retry-After", retryAfter);
    }
    if (delay.toMillis() >= 300) {
      headers.put(DELAY, String.valueOf(delay.toMillis() / 100 * 100));
    }
    if (cut) {
      headers.put(CUT, "true");
    }
    return headers;
  }

  static Exchange read(Path folder, int number) {
    try {
      JsonNode request = JsonMapper.shared().readTree(Files.readString(request(folder, number)));
      String[] parts = Files.readString(response(folder, number)).split("\n\n", 2);
      String[] head = parts[0].split("\n");
      Map<String, String> headers = new TreeMap<>();
      for (int i = 1; i < head.length; i++) {
        String[] header = head[i].split(": ", 2);
        headers.put(header[0], header[1]);
      }
      return new Exchange(
          request.path("path").stringValue(),
          request.path("body"),
          Integer.parseInt(head[0]),
          headers,
          parts[1]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void write(Path folder, int number) {
    StringBuilder response = new StringBuilder().append(status).append('\n');
    headers.forEach((name, value) -> response.append(name).append(": ").append(value).append('\n'));
    Map<String, Object> request = new TreeMap<>(Map.of("path", path, "body", body));
    String json = JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(request);
    try {
      Files.createDirectories(folder);
      Files.writeString(request(folder, number), json + "\n");
      Files.writeString(response(folder, number), response.append('\n').append(answer));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// All that were recorded, by the paths of their requests.
  static SortedMap<String, Exchange> all() {
    SortedMap<String, Exchange> all = new TreeMap<>();
    try (Stream<Path> files = Files.walk(Places.exchanges())) {
      files
          .filter(file -> file.toString().endsWith(REQUEST))
          .forEach(file -> all.put(Places.exchanges().relativize(file).toString(), of(file)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all;
  }

  private static Exchange of(Path request) {
    String number = request.getFileName().toString().replace(REQUEST, "");
    return read(request.resolveSibling(""), Integer.parseInt(number));
  }

  static boolean isThere(Path folder, int number) {
    return Files.exists(request(folder, number));
  }

  private static Path request(Path folder, int number) {
    return folder.resolve(number + REQUEST);
  }

  private static Path response(Path folder, int number) {
    return folder.resolve(number + "-response.txt");
  }
}
