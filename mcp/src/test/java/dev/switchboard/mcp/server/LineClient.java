package dev.switchboard.mcp.server;

import dev.switchboard.agent.Agent;
import dev.switchboard.json.Json;
import dev.switchboard.mcp.McpServer;
import dev.switchboard.mcp.rpc.Protocol;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import okio.BufferedSource;
import okio.Okio;
import okio.Pipe;
import tools.jackson.databind.JsonNode;

/// A client of lines, with the server of an agent at the other end.
final class LineClient implements AutoCloseable {

  private final McpServer server;
  private final OutputStream out;
  private final Thread serving;
  private final BlockingQueue<JsonNode> lines = new LinkedBlockingQueue<>();
  private final List<JsonNode> told = new ArrayList<>();
  private int ids;

  LineClient(Agent agent) {
    server = McpServer.of(agent);
    Pipe toServer = new Pipe(1 << 20);
    Pipe toClient = new Pipe(1 << 20);
    out = Okio.buffer(toServer.sink()).outputStream();
    serving =
        Thread.ofPlatform()
            .start(() -> {
              try (OutputStream answers = Okio.buffer(toClient.sink()).outputStream()) {
                server.serve(Okio.buffer(toServer.source()).inputStream(), answers);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    Thread.ofPlatform().daemon().start(() -> read(Okio.buffer(toClient.source())));
  }

  private void read(BufferedSource from) {
    try {
      for (String line = from.readUtf8Line(); line != null; line = from.readUtf8Line()) {
        lines.add(Json.text(line).tree());
      }
    } catch (IOException e) {
      // The end.
    }
  }

  /// Begins a session, with these capabilities.
  JsonNode initialize(String version, String capabilities) throws Exception {
    JsonNode result =
        ask(
                "initialize",
                "{\"protocolVersion\":\"%s\",\"capabilities\":%s,\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}"
                    .formatted(version, capabilities))
            .path("result");
    send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    return result;
  }

  /// The parameters of a request of the revision without sessions.
  static String stateless(String members, String capabilities) {
    return "{%s\"_meta\":{\"%s\":\"2026-07-28\",\"%s\":%s}}"
        .formatted(
            members.isEmpty() ? "" : members + ",",
            Protocol.VERSION,
            Protocol.CLIENT_CAPABILITIES,
            capabilities);
  }

  /// The answer to a request.
  JsonNode ask(String method, String params) throws Exception {
    return answer(request(method, params));
  }

  /// Sends a request, and gives its id.
  int request(String method, String params) throws IOException {
    int id = ++ids;
    send(
        "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":%s}"
            .formatted(id, method, params));
    return id;
  }

  void send(String line) throws IOException {
    out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  /// The answer to that request; what else comes meanwhile is [#told].
  JsonNode answer(int id) throws InterruptedException {
    while (true) {
      JsonNode line = next();
      if (line.path("id").asInt(-1) == id && !line.has("method")) {
        return line;
      }
      told.add(line);
    }
  }

  /// The next message with that method.
  JsonNode hear(String method) throws InterruptedException {
    for (JsonNode line : told) {
      if (line.path("method").asString("").equals(method)) {
        told.remove(line);
        return line;
      }
    }
    while (true) {
      JsonNode line = next();
      if (line.path("method").asString("").equals(method)) {
        return line;
      }
      told.add(line);
    }
  }

  /// The answers to a batch.
  JsonNode hearBatch() throws InterruptedException {
    JsonNode line = next();
    while (!line.isArray()) {
      line = next();
    }
    return line;
  }

  /// What the server told beside answers.
  List<JsonNode> told() {
    return told;
  }

  private JsonNode next() throws InterruptedException {
    JsonNode line = lines.poll(5, TimeUnit.MINUTES);
    if (line == null) {
      throw new AssertionError("the server says nothing");
    }
    return line;
  }

  @Override
  public void close() throws IOException {
    out.close();
    try {
      serving.join(TimeUnit.MINUTES.toMillis(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    server.close();
  }
}
