package dev.switchboard.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.harness.Output;
import dev.switchboard.harness.Ports;
import dev.switchboard.json.Json;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import dev.switchboard.webhook.GuardedHttp;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Calls of a service's tools, answered by a server of others that knows nothing but the document,
/// and refuses requests that are not as it says.
@Tag("servers")
class PrismTest {
  private static final Path PACKAGES = Path.of("src/test/documents/node_modules");
  private static final Path PRISM = PACKAGES.resolve("@stoplight/prism-cli/dist/index.js");
  private static final Path DOCUMENT =
      PACKAGES.resolve("@twilio/cli-core/src/services/twilio-api/twilio_api_v2010.json");

  private int answered;

  /// Calls with a list in a form, which Prism reads only where the document states its encoding.
  private int lists;

  private final List<String> refused = new ArrayList<>();

  @Test
  void aServerThatKnowsTheDocumentAnswersEachCall() throws IOException {
    assertThat(PRISM)
        .as("run `npm ci --ignore-scripts --prefix config/src/test/documents`")
        .exists();
    int port = Ports.free();
    Process prism =
        new ProcessBuilder("node", PRISM.toString(), "mock", "-p", "" + port, DOCUMENT.toString())
            .redirectErrorStream(true)
            .start();
    try {
      awaitListening(prism);
      callAll("127.0.0.1:" + port);
    } finally {
      prism.destroy();
    }
    assertThat(refused).isEmpty();
    assertThat(answered).isGreaterThan(200);
    assertThat(lists).isLessThan(10);
  }

  private static void awaitListening(Process prism) throws IOException {
    BufferedReader out = prism.inputReader();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.contains("is listening")) {
        Output.drain(out);
        return;
      }
    }
    throw new AssertionError("Prism did not start");
  }

  private void callAll(String service) throws IOException {
    OpenApiDocument document = OpenApiDocument.read(Files.readString(DOCUMENT));
    OpenApiSettings settings =
        OpenApiSettings.PLAIN
            .withAuth(Map.of("accountSid_authToken", "AC1:secret"))
            .withBaseUrl("http://" + service);
    Map<String, OpenApiTool> tools = new HashMap<>();
    Operations.of(document, settings).made().forEach(tool -> tools.put(tool.name(), tool));
    GuardedHttp network = GuardedHttp.allowing(service);
    for (boolean stated : new boolean[] {true, false}) {
      Set<String> taken = new HashSet<>();
      for (OpenApiDocument.Stated operation : document.operations()) {
        OpenApiTool tool = tools.get(NameSanitizer.toolName("", operation, taken));
        if (tool != null) {
          ExampleValues examples = new ExampleValues(document, stated);
          call(tool, new DocumentedRequest(examples, operation, tool).arguments, network);
        }
      }
    }
  }

  private void call(OpenApiTool tool, Object arguments, GuardedHttp network) {
    Tool made =
        Tool.dynamic(tool.name(), tool.parameters())
            .retry(RetryPolicy.NONE)
            .answeredBy(tool.endpoint().network(network).build());
    ToolCall call = new ToolCall("c1", tool.name(), Json.of(arguments));
    ToolResult result = ToolExecutor.of(made).execute(call, ToolSession.builder("s").build());
    if (result.code() == ResultCode.INVALID_ARGUMENTS) {
      return;
    }
    String error = String.valueOf(result.error());
    if (result.success() || error.contains("HTTP 307")) { // a redirect, as described
      answered++;
    } else if (error.contains("must be array")) {
      lists++;
    } else {
      refused.add(tool.name() + " " + arguments + ": " + error);
    }
  }
}
