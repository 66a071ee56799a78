package dev.switchboard.provider;

import dev.switchboard.harness.Output;
import dev.switchboard.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// The model server of others, running as a process of its own.
final class Aimock implements AutoCloseable {
  /// The header by which it tells conversations apart.
  static final String TEST_ID = "X-Test-Id";

  private static final boolean RECORDS = "record".equals(System.getProperty("exchanges"));
  private static final String LISTENING = "listening on ";

  private final Process process;
  private final String url;

  private Aimock(Process process, String url) {
    this.process = process;
    this.url = url;
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
  }

  /// @param folder with its package and our fixtures
  /// @throws AssertionError when it is not installed or does not start
  static Aimock start(Path folder) {
    Path program = folder.resolve("node_modules/@copilotkit/aimock/dist/cli.js");
    if (!Files.exists(program)) {
      throw new AssertionError(
          program + " is missing: run `npm ci --prefix agent/src/test/servers` first");
    }
    try {
      Process process =
          new ProcessBuilder("node", program.toString(), "-p", "0", "-f", "fixtures", "--strict")
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .start();
      return new Aimock(process, url(process));
    } catch (IOException e) {
      throw new AssertionError("node cannot be started: install Node 20 or later", e);
    }
  }

  private static String url(Process process) throws IOException {
    BufferedReader out = process.inputReader();
    StringBuilder said = new StringBuilder();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      int at = line.indexOf(LISTENING);
      if (at >= 0) {
        Output.drain(out);
        return line.substring(at + LISTENING.length()).strip() + "/";
      }
      said.append(line).append('\n');
    }
    throw new AssertionError("aimock did not start: " + said);
  }

  String url() {
    return url;
  }

  /// Conversations with it; what is said in them is written down where the build asks for that.
  ModelServer.Source source() {
    return conversation ->
        RECORDS
            ? new RecordingServer(this, conversation, Places.exchanges().resolve(conversation))
            : new Direct(this, conversation);
  }

  private record Direct(Aimock aimock, String conversation) implements ModelServer {
    @Override
    public String url() {
      return aimock.url();
    }

    @Override
    public List<JsonNode> requests() {
      return aimock.journal(conversation);
    }

    @Override
    public void close() {}
  }

  /// The bodies of the requests of a conversation, from its journal, where all have the form of
  /// chat completions.
  List<JsonNode> journal(String conversation) {
    URI uri = URI.create(url + "__aimock/journal?testId=" + conversation);
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> response =
          client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
      return Json.text(response.body()).tree().valueStream().map(it -> it.path("body")).toList();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError("the journal cannot be read", e);
    }
  }

  @Override
  public void close() {
    process.destroy();
  }
}
