package dev.switchboard.mcp.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.switchboard.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// The conformance suites of the protocol against our client and our server, each scenario that
/// applies: it passes, or stands here with the reason why not.
@Tag("servers")
class ConformanceTest {
  private static final int LONGEST_END = 8_000;
  private static final String OLD = "conformance-2025/dist/index.js";
  private static final String NEW = "conformance-2026/dist/index.js";
  private static final Pattern RESULT =
      Pattern.compile("(?m)^(?:✓|✗) (\\S+): (\\d+) passed, (\\d+) failed(?:, (\\d+) warnings?)?");

  private static final Pattern ALONE = Pattern.compile("Passed: (\\d+)/\\1, 0 failed, 0 warnings");

  /// What the server does not offer, or only in its own way, by the scenarios that ask for it.
  private static final Map<String, String> NOT_OFFERED =
      Map.ofEntries(
          Map.entry("completion-complete", "nothing is completed"),
          Map.entry("logging-set-level", "what handlers log is for the operator, not for clients"),
          Map.entry("tools-call-with-logging", "what handlers log is for the operator"),
          Map.entry("tools-call-sampling", "the agent has a model of its own"),
          Map.entry("tools-call-elicitation", "a client is asked for consent, not for data"),
          Map.entry("elicitation-sep1034-defaults", "a client is asked for consent, not for data"),
          Map.entry("elicitation-sep1330-enums", "a client is asked for consent, not for data"),
          Map.entry("prompts-get-simple", "the one prompt is the agent's"),
          Map.entry("prompts-get-with-args", "the one prompt is the agent's"),
          Map.entry("prompts-get-embedded-resource", "the one prompt is the agent's"),
          Map.entry("prompts-get-with-image", "the one prompt is the agent's"),
          Map.entry("resources-read-text", "the resources are the blocks of the agent's memory"),
          Map.entry("resources-read-binary", "the resources are the blocks of the agent's memory"),
          Map.entry("resources-templates-read", "the resources are the blocks of the memory"),
          Map.entry("resources-subscribe", "it asks for a resource of the suite's own"),
          Map.entry("resources-unsubscribe", "it asks for a resource of the suite's own"),
          Map.entry("input-required-result-basic-elicitation", "a client is asked for consent"),
          Map.entry("input-required-result-basic-sampling", "the agent has a model of its own"),
          Map.entry("input-required-result-basic-list-roots", "roots are not asked for"),
          Map.entry("input-required-result-capability-check", "the agent has its own model"),
          Map.entry("input-required-result-multi-round", "a client is asked for consent, once"),
          Map.entry("input-required-result-multiple-input-requests", "one question at a time"),
          Map.entry("input-required-result-non-tool-request", "prompts ask nothing"),
          Map.entry("server-stateless", "of its 28 checks, the two of a tool that needs sampling"));

  @TempDir private Path folder;

  @Test
  void clientOf20251125() throws IOException, InterruptedException {
    assertThat(ofClient(OLD, "2025-11-25")).isEqualTo(Map.of());
  }

  @Test
  void clientOf20260728() throws IOException, InterruptedException {
    assertThat(ofClient(NEW, "2026-07-28")).isEqualTo(Map.of());
  }

  /// Servers of old, and of the extensions clients without a person; DPoP, logins of companies and
  /// identities of workloads are left out (decision 0024).
  @ParameterizedTest
  @CsvSource({
    "auth/2025-03-26-oauth-metadata-backcompat, --spec-version 2025-03-26",
    "auth/2025-03-26-oauth-endpoint-fallback, --spec-version 2025-03-26",
    "auth/client-credentials-jwt, --force",
    "auth/client-credentials-basic, --force"
  })
  void clientOfOldServersAndWithoutAPerson(String scenario, String options)
      throws IOException, InterruptedException {
    HttpServer asked = asked();
    try {
      String all = "--scenario " + scenario + " " + options;
      assertThat(ofClient(NEW, asked, all.split(" "))).containsPattern(ALONE);
    } finally {
      asked.stop(0);
    }
  }

  @Test
  void server() throws IOException, InterruptedException {
    Map<String, String> not = new TreeMap<>(ofServer(OLD, "2025-11-25"));
    not.putAll(ofServer(NEW, "2026-07-28"));

    assertThat(not.keySet()).isEqualTo(new TreeMap<>(NOT_OFFERED).keySet());
    assertThat(not).containsEntry("server-stateless", "2 failed, 0 warned");
  }

  /// The scenarios that do not pass, with the numbers of their checks that fail and that warn. They
  /// run side by side, and some have time limits of their own: one that does not pass then has to
  /// pass alone.
  private Map<String, String> ofClient(String suite, String version)
      throws IOException, InterruptedException {
    HttpServer asked = asked();
    try {
      Map<String, String> not =
          notPassed(ofClient(suite, asked, "--suite", "all", "--spec-version", version));
      for (String scenario : List.copyOf(not.keySet())) {
        String alone = ofClient(suite, asked, "--scenario", scenario, "--spec-version", version);
        if (ALONE.matcher(alone).find()) {
          not.remove(scenario);
        } else {
          not.put(scenario, alone);
        }
      }
      return not;
    } finally {
      asked.stop(0);
    }
  }

  private static HttpServer asked() throws IOException {
    HttpServer asked =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    asked.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    asked.createContext("/", ConformanceTest::client);
    asked.start();
    return asked;
  }

  private String ofClient(String suite, HttpServer asked, String... options)
      throws IOException, InterruptedException {
    int port = asked.getAddress().getPort();
    String command = "%s %s %d".formatted(Peers.node(), Peers.folder().resolve("ask.mjs"), port);
    List<String> words = new ArrayList<>(List.of(Peers.script(suite), "client"));
    words.addAll(List.of("--command", command, "-o", folder.toString()));
    words.addAll(List.of(options));
    return Peers.output(folder, words.toArray(String[]::new));
  }

  private static void client(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    JsonNode asked = Json.text(body).tree();
    String said;
    int status = 200;
    try (ConformanceClient client =
        new ConformanceClient(
            URI.create(asked.path("url").stringValue()),
            asked.path("scenario").asString(""),
            asked.path("context"))) {
      said = String.join("\n", client.run());
    } catch (RuntimeException e) {
      said = e.toString();
      status = 500;
    }
    byte[] bytes = said.getBytes(StandardCharsets.UTF_8);
    try (exchange) {
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private Map<String, String> ofServer(String suite, String version)
      throws IOException, InterruptedException {
    try (ConformanceServer server =
        ConformanceServer.start(Files.createTempDirectory(folder, "server"))) {
      return notPassed(
          Peers.output(
              folder,
              Peers.script(suite),
              "server",
              "--url",
              server.url(),
              "--suite",
              "all",
              "--spec-version",
              version,
              "-o",
              folder.toString()));
    }
  }

  private static Map<String, String> notPassed(String output) {
    Map<String, String> not = new TreeMap<>();
    int passed = 0;
    for (MatchResult result : RESULT.matcher(output).results().toList()) {
      String warned = result.group(4) == null ? "0" : result.group(4);
      if (result.group(3).equals("0") && warned.equals("0")) {
        passed++;
      } else {
        not.put(result.group(1), "%s failed, %s warned".formatted(result.group(3), warned));
      }
    }
    String end = output.substring(Math.max(0, output.length() - LONGEST_END));
    assertThat(passed).as(end).isGreaterThan(10);
    return not;
  }
}
