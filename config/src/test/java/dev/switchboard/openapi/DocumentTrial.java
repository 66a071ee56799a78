package dev.switchboard.openapi;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.testing.StubWebhook;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import dev.switchboard.webhook.GuardedHttp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Every operation of a document, called as a tool with an example of its values, and the request
/// that came compared with the one that the document describes.
///
/// @param tools how many operations are tools
/// @param asStated how many were called with the document's own examples, the others with made ones
/// @param leftOut the operations that are not tools, and why
/// @param without the operations of which no example was found that their own schema allows
/// @param wrong the requests that were not as the document describes them
record DocumentTrial(
    int tools,
    int asStated,
    Map<String, String> leftOut,
    List<String> without,
    List<String> wrong) {
  static DocumentTrial of(OpenApiDocument document, StubWebhook service) {
    Map<String, String> auth = new HashMap<>();
    document.schemes().forEach(scheme -> auth.put(scheme, "k3y"));
    OpenApiSettings settings =
        OpenApiSettings.PLAIN
            .withAuth(auth)
            .withBaseUrl("http://" + service.hostAndPort() + "/base");
    OpenApiTools<OpenApiTool> all = Operations.of(document, settings);
    Map<String, OpenApiTool> tools = new HashMap<>();
    all.made().forEach(tool -> tools.put(tool.name(), tool));
    DocumentTrial trial =
        new DocumentTrial(tools.size(), 0, all.leftOut(), new ArrayList<>(), new ArrayList<>());
    GuardedHttp network = GuardedHttp.allowing(service.hostAndPort());
    Set<String> taken = new HashSet<>();
    int asStated = 0;
    for (OpenApiDocument.Stated operation : document.operations()) {
      OpenApiTool tool = tools.get(NameSanitizer.toolName("", operation, taken));
      if (tool != null) {
        ExampleValues stated = new ExampleValues(document, true);
        boolean called = trial.call(stated, operation, tool, network, service);
        asStated += called ? 1 : 0;
        ExampleValues made = new ExampleValues(document, false);
        if (!called && !trial.call(made, operation, tool, network, service)) {
          trial.without.add(operation.title());
        }
      }
    }
    return new DocumentTrial(trial.tools, asStated, trial.leftOut, trial.without, trial.wrong);
  }

  /// Calls it and compares, unless its schema refuses the example.
  private boolean call(
      ExampleValues examples,
      OpenApiDocument.Stated operation,
      OpenApiTool tool,
      GuardedHttp network,
      StubWebhook service) {
    DocumentedRequest expected = new DocumentedRequest(examples, operation, tool);
    Tool made =
        Tool.dynamic(tool.name(), tool.parameters())
            .answeredBy(tool.endpoint().network(network).build());
    ToolResult result =
        ToolExecutor.of(made)
            .execute(
                new ToolCall("c1", tool.name(), Json.of(expected.arguments)),
                ToolSession.builder("s").build());
    if (result.code() == ResultCode.INVALID_ARGUMENTS) {
      return false;
    }
    String came =
        result.success()
            ? words(service.takeRequest(Duration.ofMinutes(5)), expected)
            : String.valueOf(result.error());
    String described = expected.words("/base");
    if (!came.equals(described)) {
      wrong.add("described\n" + described + "\nand came\n" + came);
    }
    return true;
  }

  /// Request line, headers that the document speaks of, and body.
  private static String words(StubRequest request, DocumentedRequest expected) {
    StringBuilder words = new StringBuilder(request.method() + " " + request.path() + "\n");
    expected.headers.forEach(
        (name, value) -> words.append(name + ": " + request.header(name) + "\n"));
    return words + "Content-Type: " + request.header("Content-Type") + "\n" + request.body();
  }
}
