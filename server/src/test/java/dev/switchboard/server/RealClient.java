package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Repository;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A client of others in a process of its own, which does what it is told and tells what it has
/// come to.
enum RealClient {
  AGUI("agui", "success", "interrupt", "cancelled", "error"),
  AISDK("aisdk", "stop", "tool-calls", "stop", ""),
  OPENAI("openai", "stop", "stop", "stop", "error"),
  OWN("own", "end_turn", "consent_pending", "cancelled", "model_error");

  private static final Path CLIENTS = clients();

  private final String script;

  /// What it takes for the reason that a turn ended, empty for none.
  final String finished;

  final String waits;
  final String cancelled;
  final String failed;

  private @Nullable Process node;
  private @Nullable Writer in;
  private @Nullable BufferedReader out;

  RealClient(String script, String finished, String waits, String cancelled, String failed) {
    this.script = script;
    this.finished = finished;
    this.waits = waits;
    this.cancelled = cancelled;
    this.failed = failed;
  }

  private static Path clients() {
    return Repository.file("server/src/test/clients");
  }

  private void start() throws IOException {
    if (!Files.exists(CLIENTS.resolve("node_modules"))) {
      throw new AssertionError(
          CLIENTS
              + "/node_modules is missing: run `npm ci --prefix server/src/test/clients` first");
    }
    Process started;
    try {
      started =
          new ProcessBuilder("node", "live/drive.mjs", script)
              .directory(CLIENTS.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
    } catch (IOException e) {
      throw new AssertionError("node cannot be started: install Node 20 or later", e);
    }
    node = started;
    in = started.outputWriter(StandardCharsets.UTF_8);
    out = started.inputReader(StandardCharsets.UTF_8);
  }

  void stop() {
    if (node != null) {
      node.destroy();
      node = null;
    }
  }

  /// Opens the conversation `t1` of a server as its principal yan, who may edit arguments that wait
  /// for consent.
  Open on(TestServer server) {
    ObjectNode of = Codec.object().put("url", "http://127.0.0.1:" + server.server.port());
    Open open = new Open(of.put("token", server.yan.token).put("conversation", "t1"));
    open.tell("open");
    return open;
  }

  /// A conversation of one server with the client.
  final class Open {
    private final ObjectNode of;

    private Open(ObjectNode of) {
      this.of = of;
    }

    /// What the client has come to after that command; null arguments are left out.
    JsonNode tell(String command, @Nullable Object... args) {
      ObjectNode line = Codec.object().put("command", command);
      line.set("of", of);
      ArrayNode given = line.putArray("args");
      for (Object arg : args) {
        if (arg != null) {
          given.add(Json.of(arg).tree());
        }
      }
      try {
        String told = answer(Json.of(line).text());
        JsonNode answer = Json.text(told).tree();
        assertThat(answer.path("thrown").asString("")).as(told).isEmpty();
        return answer;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private String answer(String line) throws IOException {
      if (node == null) {
        start();
      }
      Writer to = in;
      BufferedReader from = out;
      if (to == null || from == null) {
        throw new AssertionError("the client has not started");
      }
      to.write(line + "\n");
      to.flush();
      String told = from.readLine();
      if (told == null) {
        throw new AssertionError("the client has ended");
      }
      return told;
    }
  }
}
