package dev.switchboard.mcp.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.harness.Ports;
import dev.switchboard.json.Json;
import dev.switchboard.mcp.McpTools;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolResult;
import dev.switchboard.webhook.GuardedHttp;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Our client against servers of others, and a client of others against our server.
@Tag("servers")
class RealPeersTest {
  private static final String EVERYTHING = "@modelcontextprotocol/server-everything/dist/index.js";

  @TempDir private Path folder;

  private final List<String> hints = new CopyOnWriteArrayList<>();

  private ToolExecutor executor(McpTools server) {
    return ToolExecutor.builder()
        .tools(server.required())
        .approver(
            request -> new Answer.Approved(Duration.ZERO, Json.text("{\"name\":\"Ada\"}"), null))
        .build();
  }

  private ToolResult call(ToolExecutor executor, String tool, String arguments) {
    ToolSession session =
        ToolSession.builder("real")
            .events(event -> {
              if (event instanceof Event.LoaderHint hint) {
                hints.add(hint.hint());
              }
            })
            .build();
    return executor.execute(ToolCall.of(tool, arguments), session);
  }

  private void everything(ToolExecutor executor) {
    assertThat(call(executor, "every__echo", "{\"message\":\"hi\"}").text()).isEqualTo("Echo: hi");
    ToolResult weather =
        call(executor, "every__get-structured-content", "{\"location\":\"New York\"}");
    assertThat(weather.data()).isNotNull();
    assertThat(weather.data().tree().path("conditions").asString("")).isEqualTo("Cloudy");
    assertThat(call(executor, "every__get-tiny-image", "{}").text()).contains("[image image/png");
    ToolResult slow =
        call(executor, "every__trigger-long-running-operation", "{\"duration\":1,\"steps\":4}");
    assertThat(slow.success()).isTrue();
    assertThat(hints).contains("1 of 4", "4 of 4");
    ToolResult asked = call(executor, "every__trigger-elicitation-request", "{}");
    assertThat(asked.text()).contains("Ada");
    ToolResult listed = call(executor, "mcp_resources", "{\"action\":\"list\"}");
    assertThat(listed.text()).contains("demo://resource");
  }

  @Test
  void serverEverythingOverStdio() {
    try (ToolExecutor executor =
        executor(McpTools.program("every", Peers.node(), Peers.script(EVERYTHING), "stdio"))) {
      everything(executor);
      assertThat(executor.sources())
          .extracting(ToolRegistry.Source.State::ready)
          .containsExactly(true);
    }
  }

  @Test
  void serverEverythingOverHttp() throws IOException {
    int port = Ports.free();
    ProcessBuilder builder =
        new ProcessBuilder(Peers.node(), Peers.script(EVERYTHING), "streamableHttp")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("server.txt").toFile());
    builder.environment().put("PORT", String.valueOf(port));
    Process server = builder.start();
    Awaitility.await().ignoreExceptions().until(() -> accepts(port));
    try (ToolExecutor executor =
        executor(
            McpTools.at("every", URI.create("http://127.0.0.1:" + port + "/mcp"))
                .network(GuardedHttp.allowing("127.0.0.1:" + port))
                .timeout(Duration.ofMinutes(5)))) {
      everything(executor);
    } finally {
      server.destroy();
    }
  }

  private static boolean accepts(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    }
  }

  @Test
  void aServerWithoutSessionsThatChangesItsTools() {
    try (ToolExecutor executor =
        executor(
            McpTools.program(
                "new", Peers.node(), Peers.folder().resolve("stateless.mjs").toString()))) {
      assertThat(executor.sources().getFirst().detail()).endsWith("MCP 2026-07-28");
      assertThat(call(executor, "new__greet", "{\"name\":\"Ada\"}").text()).isEqualTo("Hello, Ada");
      assertThat(call(executor, "new__add_tool", "{}").success()).isTrue();

      Awaitility.await()
          .untilAsserted(() ->
              assertThat(executor.definitions())
                  .extracting(ToolDefinition::name)
                  .contains("new__later"));
    }
  }

  @Test
  void theInspectorListsAndCalls() throws IOException, InterruptedException {
    try (ConformanceServer server = ConformanceServer.start(folder)) {
      assertThat(inspector(server.url(), "--method", "tools/list")).contains("test_simple_text");
      assertThat(
              inspector(server.url(), "--method", "tools/call", "--tool-name", "test_simple_text"))
          .contains("This is a simple text response for testing.");
    }
  }

  private String inspector(String url, String... words) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>();
    all.add(Peers.script("@modelcontextprotocol/inspector/clients/cli/build/index.js"));
    all.addAll(List.of(url, "--transport", "http"));
    all.addAll(List.of(words));
    return Peers.output(folder, all.toArray(String[]::new));
  }
}
