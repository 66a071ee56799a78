package dev.switchboard.cli;

import dev.switchboard.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;

/// `switchboard serve`, which runs in this process until it is interrupted, and a client of it.
final class Serving implements AutoCloseable {
  private static final Pattern ADDRESS = Pattern.compile("at (http://[^/\\s]+)\n");
  private static final Pattern TOKEN = Pattern.compile("(?m)^sbt_\\S+$");

  private final HttpClient http = HttpClient.newHttpClient();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Thread command;
  private volatile int exit = -1;

  private Serving(List<String> args) {
    command =
        Thread.ofPlatform()
            .name("serve")
            .start(() ->
                exit =
                    Main.run(
                        args.toArray(String[]::new),
                        InputStream.nullInputStream(),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8)));
  }

  /// Serves on a free port with the tokens of that folder, and waits until it listens.
  static Serving of(Path folder, String... words) {
    List<String> args = new ArrayList<>(List.of("serve"));
    args.addAll(List.of("--tokens", folder.resolve("tokens").toString()));
    args.addAll(List.of(words));
    if (args.stream().noneMatch(word -> word.startsWith("--port"))) {
      args.addAll(List.of("--port", "0"));
    }
    Serving serving = new Serving(args);
    Awaitility.await()
        .until(() ->
            TOKEN.matcher(serving.out()).find()
                || serving.err().contains("switchboard token add")
                || !serving.command.isAlive());
    return serving;
  }

  String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private static String found(Pattern pattern, String text) {
    Matcher found = pattern.matcher(text);
    if (!found.find()) {
      throw new AssertionError("'" + pattern + "' is not in: " + text);
    }
    return found.group(found.groupCount());
  }

  /// The operator's token.
  String token() {
    return found(TOKEN, out());
  }

  URI url(String path) {
    return URI.create(found(ADDRESS, out()) + path);
  }

  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(url(path))
        .timeout(Duration.ofMinutes(5))
        .header("Authorization", "Bearer " + token());
  }

  HttpResponse<String> send(HttpRequest request) throws IOException {
    try {
      return http.send(request, BodyHandlers.ofString());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  JsonNode get(String path) throws IOException {
    return Json.text(send(request(path).build()).body()).tree();
  }

  JsonNode post(String path, String body) throws IOException {
    HttpRequest request = request(path).POST(BodyPublishers.ofString(body)).build();
    return Json.text(send(request).body()).tree();
  }

  /// What a turn streams, to its end.
  ///
  /// @param key of the request: one sent twice counts once
  String say(String conversation, String text, String key) throws IOException {
    return send(request("/v1/conversations/" + conversation + "/turns")
            .header("Accept", "text/event-stream")
            .header("Idempotency-Key", key)
            .POST(BodyPublishers.ofString("{\"text\":" + Json.of(text).text() + "}"))
            .build())
        .body();
  }

  /// What the command has done; it is interrupted where it has not ended.
  Cli end() {
    close();
    return new Cli(exit, out(), err());
  }

  @Override
  public void close() {
    command.interrupt();
    try {
      command.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
