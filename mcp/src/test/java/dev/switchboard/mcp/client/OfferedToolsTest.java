package dev.switchboard.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.mcp.McpTools;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.webhook.GuardedHttp;
import java.net.URI;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What servers say of their tools, and what becomes of it.
class OfferedToolsTest {
  private static final String OBJECT = "{\"type\":\"object\"}";

  private final FakeWeb fake = new FakeWeb(Fake.STATELESS);

  @AfterEach
  void close() {
    fake.close();
  }

  private void lists(String... descriptions) {
    fake.tools.clear();
    fake.tools.addAll(List.of(descriptions));
  }

  private static String tool(String name) {
    return described(name, OBJECT, "{}");
  }

  private static String described(String name, String schema, String annotations) {
    ObjectNode tool = Codec.object().put("name", name);
    tool.set("inputSchema", Json.text(schema).tree());
    tool.set("annotations", Json.text(annotations).tree());
    return tool.toString();
  }

  private List<String> names() {
    return definitions().stream().map(ToolDefinition::name).toList();
  }

  private List<ToolDefinition> definitions() {
    return fake.executor().modelDefinitions();
  }

  private static String object(String properties) {
    return "{\"type\":\"object\",\"properties\":" + properties + "}";
  }

  @Test
  void namesHaveTheCharactersOfToolNames() {
    String longest = "n".repeat(128);
    lists(
        tool("files.read"),
        tool("\ud83d\udd25"),
        tool("a__b"),
        tool(longest),
        tool("n".repeat(129)),
        tool(" "),
        tool("end_call"),
        "{\"inputSchema\":{\"type\":\"object\"}}",
        "{\"name\":7}",
        "[]",
        "null",
        tool("\u202eevil"));
    fake.start();
    assertThat(names())
        .hasSize(6)
        .contains("web__files_read", "web__a__b", "web__end_call", "web___evil")
        .allMatch(name -> name.matches("[A-Za-z0-9_-]{1,64}"));
    String cut = names().get(3);
    assertThat(cut).hasSize(64).startsWith("web__nnnn");
    assertThat(fake.call(cut, "{}").text()).isEqualTo("well");
    assertThat(fake.requests("tools/call").getFirst().json().tree().at("/params/name").asString())
        .isEqualTo(longest);
    assertThat(fake.requests("tools/call").getFirst().header("Mcp-Name")).isEqualTo(longest);
  }

  @Test
  void namesThatWouldBeEqualDoNotDependOnTheirOrder() {
    lists(tool("a.b"), tool("a_b"), tool("a b"), tool("a_b"));
    fake.start();
    List<String> first = names();
    assertThat(first).hasSize(3).doesNotHaveDuplicates().contains("web__a_b");
    fake.call("web__a_b", "{}");
    assertThat(fake.requests("tools/call").getLast().header("Mcp-Name")).isEqualTo("a_b");
    fake.executor().close();

    lists(tool("a b"), tool("a_b"), tool("a.b"));
    fake.start();
    assertThat(names()).containsExactlyInAnyOrderElementsOf(first);
  }

  @Test
  void aChangedNameIsToldToTheModel() {
    lists(
        "{\"name\":\"予約検索\",\"title\":\"Find\\nbookings\",\"description\":\"Finds.\",\"inputSchema\":{\"type\":\"object\"}}",
        "{\"name\":\"files.read\",\"inputSchema\":{\"type\":\"object\"}}",
        "{\"name\":\"plain\",\"title\":\"Plain\",\"description\":\"Plain.\",\"inputSchema\":{\"type\":\"object\"}}");
    fake.start();
    assertThat(definitions())
        .extracting(ToolDefinition::description)
        .containsExactly(
            "Finds.\nOriginal name: 予約検索 (Find\\nbookings)", "Original name: files.read", "Plain.");
  }

  @Test
  void schemasOfResultsAreHandedOnInAValidForm() {
    lists(
        "{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"},\"outputSchema\":{\"type\":\"object\",\"properties\":{\"b\":true,\"c\":{\"type\":\"str\"}},\"required\":null}}");
    fake.start();
    assertThat(definitions().getFirst().output())
        .isEqualTo(Json.text("{\"type\":\"object\",\"properties\":{\"b\":{},\"c\":{}}}"));
  }

  @Test
  void veryManyNamesThatBecomeOneStayApart() {
    StringBuilder properties = new StringBuilder("{");
    for (int i = 0; i < 20_000; i++) {
      properties
          .append(i == 0 ? "" : ",")
          .append("\"日")
          .append(Character.toString(0x4e00 + i))
          .append("\":{}");
    }
    lists(described("many", object(properties.append('}').toString()), "{}"));
    fake.start();
    assertThat(definitions().getFirst().parameters().tree().path("properties")).hasSize(20_000);
  }

  @Test
  void parametersHaveNamesThatModelsTake() {
    String schema =
        "{\"type\":\"object\",\"properties\":{\"日付\":{\"type\":\"string\",\"description\":\"When.\"},\"人数\":{\"type\":\"integer\"},\"a"
            + " b\":{},\"a_b\":{}},\"required\":[\"日付\"],\"dependentRequired\":{\"a b\":[\"人数\"]}}";
    lists(described("book", schema, "{}"));
    fake.start();
    JsonNode told = definitions().getFirst().parameters().tree();
    assertThat(told.path("properties").propertyNames())
        .containsExactly("argument", "argument_2", "a_b_2", "a_b");
    assertThat(told.at("/properties/argument/description").asString())
        .isEqualTo("When.\nOriginal name: 日付");
    assertThat(fake.call("web__book", "{}").error()).contains("/argument: expected string");
    assertThat(fake.call("web__book", "{\"argument\":\"d\",\"a_b_2\":1}").code())
        .isEqualTo(ResultCode.INVALID_ARGUMENTS);
    fake.call("web__book", "{\"argument\":\"d\",\"argument_2\":4,\"a_b_2\":1,\"a_b\":2}");
    assertThat(fake.requests("tools/call").getLast().json().tree().at("/params/arguments"))
        .hasToString("{\"日付\":\"d\",\"人数\":4,\"a b\":1,\"a_b\":2}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\":\"object\",\"properties\":{\"p\":{\"type\":\"string\",\"pattern\":\"^(?!\\\\.)\"}}}",
        "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"type\":\"object\",\"properties\":{\"p\":{\"items\":[{\"type\":\"number\"}]}}}",
        "{\"$ref\":\"https://elsewhere.example/x.json\"}",
        "{\"allOf\":[{\"type\":\"object\",\"properties\":{\"p\":{\"type\":\"string\"}}}],\"required\":[\"q\"]}",
        "true",
        "[]",
        "\"none\"",
        "{\"type\":\"string\"}",
        "{\"type\":\"object\",\"properties\":[],\"required\":null}"
      })
  void noSchemaCostsATool(String schema) {
    lists(described("odd", schema, "{}"), tool("other"));
    fake.start();
    assertThat(names()).containsExactly("web__odd", "web__other");
    assertThat(fake.call("web__odd", "{\"p\":[]}").text()).isNotEmpty();
  }

  @Test
  void reservedNamesAreLeftOut() {
    lists(tool("end_call"), tool("transfer_call"), tool("other"));
    fake.start(McpTools::withoutPrefix);
    assertThat(names()).containsExactly("other");
  }

  @Test
  void theNameOfTheResourcesToolMayBeTaken() {
    lists(tool("mcp_resources"));
    fake.on(
        "server/discover",
        request ->
            FakeWeb.result(
                request,
                "{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{},\"resources\":{}}}"));
    fake.start(McpTools::withoutPrefix);
    assertThat(names()).containsExactly("mcp_resources");
    assertThat(fake.call("mcp_resources", "{}").text()).isEqualTo("well");
  }

  @Test
  void aNameOfTheAgentsOwnToolIsAConflict() {
    lists(tool("send_email"), tool("other"));
    Tool own = Tool.dynamic("send_email", "{\"type\":\"object\"}").handler(any -> "own");
    McpTools server =
        McpTools.at("web", URI.create(fake.web.url("/")))
            .network(GuardedHttp.allowing(fake.web.hostAndPort()))
            .withoutPrefix();
    assertThatThrownBy(() -> ToolExecutor.builder().tools(own).tools(server).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "MCP server 'web': tool 'send_email' is defined twice: leave out 'prefix = false', or"
                + " exclude it");
  }

  @Test
  void descriptionsShowWhatIsInvisible() {
    ObjectNode tool = Codec.object().put("name", "x");
    tool.put("description", "Reads.\u200b\u202e\u0007\nSecond line\r\n" + "y".repeat(1_000_000));
    lists(tool.toString());
    fake.start();
    String shown = definitions().getFirst().description();
    assertThat(shown).startsWith("Reads.\\u200b\\u202e\\u0007\nSecond line\nyyy");
    assertThat(shown.length()).isLessThan(4_100);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "get_x       | {}                                                | DESTRUCTIVE",
        "get_x       | {\"readOnlyHint\":true,\"destructiveHint\":true}  | READ",
        "shell_x     | {\"readOnlyHint\":true}                           | LOCAL",
        "exec_x      | {\"readOnlyHint\":true}                           | LOCAL",
        "drop_all    | {\"destructiveHint\":false}                       | DESTRUCTIVE",
        "deleteUser  | {\"readOnlyHint\":true}                           | DESTRUCTIVE",
        "shell-run   | {\"readOnlyHint\":true}                           | LOCAL",
        "get_x       | {\"destructiveHint\":false}                       | EXTERNAL",
        "get_x       | {\"destructiveHint\":false,\"idempotentHint\":true} | SAFE_WRITE",
        "x           | {\"readOnlyHint\":\"yes\",\"destructiveHint\":\"no\"} | DESTRUCTIVE",
        "x           | []                                                | DESTRUCTIVE",
        "x           | 7                                                 | DESTRUCTIVE",
      })
  void modesFollowFromWhatIsSaid(String name, String annotations, ToolMode mode) {
    lists(described(name, OBJECT, annotations));
    fake.start();
    assertThat(definitions()).extracting(ToolDefinition::mode).containsExactly(mode);
  }

  @Test
  void localToolsStillNeedConsent() {
    lists(described("exec_x", "{\"type\":\"object\"}", "{\"readOnlyHint\":true}"));
    fake.start(McpTools::trusted);
    assertThat(fake.call("web__exec_x", "{}").code()).isEqualTo(ResultCode.NO_APPROVER);
  }

  private static String deep(int levels) {
    return "{\"type\":\"object\",\"properties\":{\"x\":".repeat(levels)
        + "{}"
        + "}}".repeat(levels);
  }

  private static String exponential() {
    StringBuilder defs = new StringBuilder("{\"d0\":{\"type\":\"string\"}");
    for (int i = 1; i < 40; i++) {
      String one = "{\"$ref\":\"#/$defs/d%d\"}".formatted(i - 1);
      defs.append(",\"d%d\":{\"anyOf\":[%s,%s]}".formatted(i, one, one));
    }
    return "{\"type\":\"object\",\"$defs\":%s},\"properties\":{\"x\":{\"$ref\":\"#/$defs/d39\"}}}"
        .formatted(defs);
  }

  @Test
  void whatIsLeftToTheServerIsNotCheckedAndTheRestIs() {
    lists(
        described("remote", object("{\"x\":{\"$ref\":\"https://evil.example/schema\"}}"), "{}"),
        described("lost", object("{\"x\":{\"$ref\":\"#/$defs/none\"}}"), "{}"),
        described("list", "[]", "{}"),
        described("text", "\"x\"", "{}"),
        described("not_object", "{\"type\":\"string\"}", "{}"),
        described("odd", object("[]"), "{}"),
        described("pattern", object("{\"x\":{\"pattern\":\"(\"}}"), "{}"),
        "{\"name\":\"none\",\"inputSchema\":null}",
        "{\"name\":\"task\",\"inputSchema\":{\"type\":\"object\"},\"execution\":{\"taskSupport\":\"required\"}}",
        described("good", object("{\"x\":{\"type\":\"integer\"}}"), "{}"));
    fake.start();
    assertThat(names()).hasSize(9).doesNotContain("web__task");
    assertThat(fake.call("web__good", "{\"x\":\"no\"}").code())
        .isEqualTo(ResultCode.INVALID_ARGUMENTS);
    assertThat(fake.requests("tools/call")).isEmpty();
    assertThat(fake.call("web__pattern", "{\"x\":\"any\"}").text()).isEqualTo("well");
  }

  @Test
  void schemasThatCostMuchCostLittle() {
    lists(
        described("recursive", object("{\"x\":{\"$ref\":\"#\"}}"), "{\"readOnlyHint\":true}"),
        described("exponential", exponential(), "{\"readOnlyHint\":true}"),
        described(
            "regex",
            object("{\"x\":{\"type\":\"string\",\"pattern\":\"^(a+)+$\"}}"),
            "{\"readOnlyHint\":true}"),
        described("deep", deep(90), "{\"readOnlyHint\":true}"),
        tool("good"));
    fake.start();
    assertThat(names()).contains("web__good", "web__recursive");
    String arguments = "{\"x\":\"" + "a".repeat(40) + "!\"}";
    for (String name : names()) {
      assertThat(fake.call(name, arguments)).as(name).isNotNull();
    }
  }

  @Test
  void nestingBeyondWhatJsonMayHaveIsNotAnAnswer() {
    lists("{\"name\":\"x\",\"inputSchema\":" + deep(3_000) + "}");
    fake.start();
    assertThat(names()).isEmpty();
    assertThat(fake.executor().sources().getFirst().ready()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"x\":{\"type\":\"string\",\"x-mcp-header\":\"a b\"}}",
        "{\"x\":{\"type\":\"string\",\"x-mcp-header\":\"a\\r\\nb: c\"}}",
        "{\"x\":{\"type\":\"string\",\"x-mcp-header\":\"\"}}",
        "{\"x\":{\"type\":\"string\",\"x-mcp-header\":7}}",
        "{\"x\":{\"type\":\"number\",\"x-mcp-header\":\"a\"}}",
        "{\"x\":{\"type\":\"object\",\"x-mcp-header\":\"a\"}}",
        "{\"x\":{\"type\":\"string\",\"x-mcp-header\":\"a\"},\"y\":{\"type\":\"string\",\"x-mcp-header\":\"A\"}}",
        "{\"x\":{\"anyOf\":[{\"type\":\"string\",\"x-mcp-header\":\"a\"}]}}",
        "{\"x\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"x-mcp-header\":\"a\"}}}"
      })
  void abusesOfHeadersLeaveTheToolOut(String properties) {
    lists(described("bad", object(properties), "{}"), tool("good"));
    fake.start();
    assertThat(names()).containsExactly("web__good");
  }

  @Test
  void headersOfArgumentsCannotTakeThePlaceOfOthers() {
    lists(
        described(
            "x",
            object("{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"Authorization\"}}"),
            "{\"readOnlyHint\":true}"));
    fake.start(tools -> tools.header("Authorization", "Bearer ours"));
    fake.call("web__x", "{\"a\":\"line\\r\\nX-Evil: 1\"}");
    var request = fake.requests("tools/call").getFirst();
    assertThat(request.header("Authorization")).isEqualTo("Bearer ours");
    assertThat(request.header("Mcp-Param-Authorization")).startsWith("=?base64?");
    assertThat(request.header("X-Evil")).isNull();
  }

  @Test
  void tenThousandToolsAreTaken() {
    lists(IntStream.range(0, 10_000).mapToObj(i -> tool("t" + i)).toArray(String[]::new));
    fake.start();
    assertThat(names()).hasSize(10_000);
  }

  @Test
  void oneMoreIsTooMany() {
    lists(IntStream.range(0, 10_001).mapToObj(i -> tool("t" + i)).toArray(String[]::new));
    fake.start();
    assertThat(names()).isEmpty();
    assertThat(fake.executor().sources().getFirst().detail())
        .isEqualTo("the server lists more than is accepted");
  }

  private void pages(int characters, boolean repeats) {
    fake.on(
        "tools/list",
        request -> {
          int page = fake.requests("tools/list").size();
          ObjectNode result = Codec.object();
          result
              .putArray("tools")
              .addObject()
              .put("name", "t" + page)
              .put("x", "y".repeat(characters));
          return FakeWeb.result(
              request, result.put("nextCursor", repeats ? "same" : "page" + page).toString());
        });
  }

  @Test
  void anEmptyCursorIsTheEnd() {
    fake.on(
        "tools/list",
        request -> FakeWeb.result(request, "{\"tools\":[{\"name\":\"one\"}],\"nextCursor\":\"\"}"));
    fake.start();
    assertThat(fake.requests("tools/list")).hasSize(1);
    assertThat(names()).containsExactly("web__one");
  }

  @Test
  void pagesWithoutEndAreNotRead() {
    pages(0, false);
    fake.start();
    assertThat(fake.requests("tools/list").size()).isEqualTo(201);
    assertThat(fake.executor().sources().getFirst().ready()).isFalse();
  }

  @Tag("slow")
  @Test
  void largePagesWithoutEndAreNotRead() {
    pages(4_000_000, false);
    fake.start();
    assertThat(fake.requests("tools/list").size()).isLessThan(12);
    assertThat(fake.executor().sources().getFirst().ready()).isFalse();
  }

  @Test
  void cursorsThatRepeatEndTheList() {
    pages(0, true);
    fake.start();
    assertThat(names()).containsExactly("web__t1", "web__t2");
  }

  @Test
  void patternsChooseTools() {
    lists(tool("get_a"), tool("get_secret"), tool("set_a"));
    fake.start(tools -> tools.include("get_*").exclude("*_secret"));
    assertThat(names()).containsExactly("web__get_a");
    assertThat(fake.call("web__set_a", "{}").code()).isEqualTo(ResultCode.UNKNOWN_TOOL);
  }
}
