package dev.switchboard.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolExecutorBuilder;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.harness.Vectors;
import dev.switchboard.json.Codec;
import dev.switchboard.mcp.McpTools;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolResult;
import dev.switchboard.webhook.GuardedHttp;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The cases of the area `mcp`, with `prefix = false`: what they say of the names of tools.
class VectorsTest {
  private final FakeWeb fake = new FakeWeb(Fake.STATELESS);

  @AfterEach
  void close() {
    fake.close();
  }

  private void lists(JsonNode... tools) {
    fake.tools.clear();
    for (JsonNode tool : tools) {
      fake.tools.add(tool.toString());
    }
  }

  private List<ToolDefinition> definitions() {
    return fake.executor().definitions();
  }

  private static ObjectNode tool(String name) {
    ObjectNode tool = Codec.object().put("name", name);
    tool.putObject("inputSchema").put("type", "object");
    tool.putObject("annotations").put("destructiveHint", false);
    return tool;
  }

  @Test
  void eachCaseIsReadHere() {
    assertThat(Vectors.ids(Set.of("mcp")))
        .containsExactlyInAnyOrder(
            "C270", "C271", "C272", "C273", "C274", "C275", "C278", "C279", "R243", "R245");
  }

  @Test
  void toolsAreListedAsTheyAre() {
    JsonNode listed = Vectors.given("C270").path("tools/list");
    lists(listed.get(0));
    fake.start(McpTools::withoutPrefix);
    JsonNode expected = Vectors.expect("C270").path("agent_tools_include");
    ToolDefinition found = definitions().getFirst();
    assertThat(found.name()).isEqualTo(expected.path("name").stringValue());
    assertThat(found.description()).isEqualTo(expected.path("description").stringValue());
    assertThat(found.parameters().tree()).isEqualTo(expected.path("parameters"));
  }

  @Test
  void aToolWithoutSchemaHasNoParameters() {
    assertThat(Vectors.given("C271").path("tool without inputSchema").booleanValue()).isTrue();
    lists(Codec.object().put("name", "q"));
    fake.start(McpTools::withoutPrefix);
    assertThat(definitions().getFirst().parameters().tree())
        .isEqualTo(Vectors.expect("C271").path("parameters"));
  }

  @Test
  void aNameThatTheAgentHasIsAConflict() {
    JsonNode given = Vectors.given("C272");
    lists(tool(given.path("mcp tool").stringValue()));
    Tool own =
        Tool.dynamic(given.path("user tool").stringValue(), "{\"type\":\"object\"}")
            .handler(any -> "own");
    ToolExecutorBuilder builder =
        ToolExecutor.builder().tools(own).tools(server(fake).withoutPrefix());
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(Vectors.expect("C272").path("message_contains").stringValue());
  }

  private static McpTools server(FakeWeb web) {
    return McpTools.at("web", URI.create(web.web.url("/mcp")))
        .network(GuardedHttp.allowing(web.web.hostAndPort()));
  }

  @Test
  void aServerThatCannotBeReachedLeavesTheOthers() {
    assertThat(Vectors.expect("C273").path("call_proceeds").booleanValue()).isTrue();
    try (ToolExecutor executor =
        ToolExecutor.builder()
            .tools(McpTools.program("A", "/no/such/program").withoutPrefix())
            .tools(server(fake).withoutPrefix())
            .build()) {
      assertThat(executor.execute(ToolCall.of("run", "{}")).text()).isEqualTo("well");
    }
  }

  private ToolResult called(String id) {
    String result = Vectors.given(id).path("tools/call result").toString();
    fake.on("tools/call", request -> FakeWeb.result(request, result));
    fake.start(McpTools::withoutPrefix);
    return fake.call("run", "{}");
  }

  /// An error of the tool is its answer: there is no `fallback`.
  @Test
  void anErrorOfTheToolIsItsAnswer() {
    ToolResult result = called("C274");
    assertThat(result.error())
        .isEqualTo(Vectors.expect("C274").path("result_json").path("error").stringValue());
    assertThat(result.success()).isFalse();
    assertThat(result.needsFollowup()).isTrue();
    assertThat(result.fallback()).isNotEqualTo(true);
    assertThat(fake.requests("tools/call")).hasSize(1);
  }

  /// For an image stands a text, and the image is in `data.parts`.
  @Test
  void partsAreJoined() {
    ToolResult result = called("C275");
    String[] expected = Vectors.expect("C275").path("result").stringValue().split("\\\\n");
    assertThat(String.valueOf(result.text()).split("\n"))
        .hasSameSizeAs(expected)
        .startsWith(expected[0])
        .endsWith(expected[2])
        .contains("[image , 2 bytes]");
    assertThat(result.data().tree().at("/parts/0/type").stringValue()).isEqualTo("image");
  }

  @Test
  void aServerThatDoesNotEndIsLeftBehind() {
    assertThat(Vectors.given("C278").path("close fails").booleanValue()).isTrue();
    FakeWeb sessions = new FakeWeb(Fake.SESSIONS);
    try (sessions) {
      sessions.on("DELETE", StubAnswer.reset()).start();
      sessions.executor().close();
      assertThat(sessions.requests("DELETE")).hasSize(1);
      assertThat(Vectors.expect("C278").path("completes").booleanValue()).isTrue();
    }
  }

  @Test
  void allPagesAreRead() {
    assertThat(Vectors.expect("C279").path("all_pages_read").booleanValue()).isTrue();
    fake.on(
        "tools/list",
        request -> {
          String cursor = request.json().tree().at("/params/cursor").asString("0");
          ObjectNode page = Codec.object();
          ArrayNode tools = page.putArray("tools");
          tools.add(tool("t" + cursor));
          if (!cursor.equals("2")) {
            page.put("nextCursor", String.valueOf(Integer.parseInt(cursor) + 1));
          }
          return FakeWeb.result(request, page.toString());
        });
    fake.start(McpTools::withoutPrefix);
    assertThat(definitions()).extracting(ToolDefinition::name).containsExactly("t0", "t1", "t2");
  }

  @Test
  void noToolsStandInForThoseOfAServerThatIsNotThere() {
    List<String> names = new ArrayList<>();
    Vectors.given("R243").path("servers").propertyNames().forEach(names::add);
    try (ToolExecutor executor =
        ToolExecutor.builder()
            .tools(McpTools.program(names.getFirst(), "/no/such/program").withoutPrefix())
            .build()) {
      ToolRegistry.Source.State state = executor.sources().getFirst();
      assertThat(state.name()).isEqualTo(names.getFirst());
      assertThat(state.ready()).isFalse();
      assertThat(state.tools()).isEmpty();
      assertThat(executor.definitions()).isEmpty();
      assertThat(Vectors.expect("R243").path("error").stringValue()).contains("unreachable");
    }
  }

  @Test
  void aBearerTokenIsSent() {
    assertThat(Vectors.given("R245").at("/servers/a").stringValue()).contains("bearer token");
    fake.start(tools -> tools.header("Authorization", "Bearer t0ken"));
    fake.run();
    assertThat(Vectors.expect("R245").path("header").stringValue()).startsWith("Authorization");
    assertThat(fake.web.requests())
        .allMatch(request -> "Bearer t0ken".equals(request.header("Authorization")));
  }
}
