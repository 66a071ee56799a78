package dev.switchboard.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.config.FileTable.StatedTool;
import dev.switchboard.harness.Vectors;
import dev.switchboard.harness.Vectors.Vector;
import dev.switchboard.json.Codec;
import dev.switchboard.toml.TextTree;
import dev.switchboard.webhook.GuardedHttp;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The vectors of the areas `tool-validation` and `schema-structural`, and what they leave open.
class AgentToolsTest {
  @TempDir private Path folder;

  static Stream<Vector> vectors() {
    return Stream.concat(Vectors.area("tool-validation"), Vectors.area("schema-structural"))
        .filter(vector -> vector.when().startsWith("build"));
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void buildsOrRefusesAsTheVectorSays(Vector vector) {
    List<String> faults = sentences(toolsOf(vector));

    JsonNode expect = vector.expect();
    assertThat(faults.isEmpty())
        .as("%s: %s", vector.given(), faults)
        .isEqualTo(!expect.has("throws"));
    if (expect.has("message_equals")) {
      assertThat(faults).containsExactly(expect.path("message_equals").stringValue());
    }
    JsonNode words = expect.path("message_contains");
    for (JsonNode word : words.isArray() ? words.values() : List.of(words)) {
      assertThat(String.join("\n", faults)).contains(word.asString(""));
    }
  }

  @Test
  void aToolNeedsNeitherDescriptionNorParameters() {
    Vector vector = Vectors.byId("C008");
    ObjectNode tool = (ObjectNode) vector.given().path("tools").get(0);
    String toml =
        "[[tools]]\nname = \"%s\"\nwebhook_url = \"%s\""
            .formatted(tool.path("name").stringValue(), tool.path("webhook_url").stringValue());

    var definition = new AgentFolder(folder).read(toml).tools().getFirst().definition();

    assertThat(definition.parameters().tree()).isEqualTo(vector.expect().path("tool.parameters"));
    assertThat(definition.description())
        .isEqualTo(vector.expect().path("tool.description").asString());
  }

  @Test
  void c084RefusesBothAHandlerAndAWebhookInEveryForm() {
    assertThat(Vectors.byId("C084").expect().path("throws").asString()).isEqualTo("config error");
    assertThat(
            sentences(
                "[{\"name\": \"x\", \"webhook_url\": \"https://api.example.com/x\","
                    + " \"handler\": \"fn\"}]"))
        .contains("tools[0] has both 'webhook_url' and 'handler'");
  }

  @Test
  void saysEverySentence() {
    assertThat(
            sentences(
                """
                [{"name": "x", "webhook_url": "https://api.example.com/x",
                  "parameters": {"type": "string", "properties": [], "required": "a"}},
                 {"webhook_url": "https://api.example.com/x"},
                 {"name": "y"},
                 {"name": "z", "webhook_url": "https://api.example.com/x", "handler": "code"},
                 {"name": "y", "handler": "code"},
                 {"name": "end_call", "handler": "code"},
                 {"name": "w", "handler": "code",
                  "parameters": {"type": "object", "properties": {}, "required": ["bar"]}}]
                """))
        .containsExactly(
            "tool 'x': `parameters` must be a JSON Schema of type 'object'.",
            "tool 'x': `parameters['properties']` must map field names to schemas.",
            "tool 'x': `parameters['required']` must be a list of field names.",
            "tools[1] requires a 'name'",
            "tools[2] requires either 'webhook_url' or 'handler'",
            "tools[3] has both 'webhook_url' and 'handler'",
            "tool 'y' is defined twice",
            "'end_call' is a reserved name",
            "tool 'w': `parameters['required']` names 'bar', which is not in"
                + " `parameters['properties']`.");
  }

  @Test
  void aListOfOtherThingsIsFaulty() {
    assertThat(sentences("[1]")).containsExactly("tools[0] must be a table, not an integer");
    assertThat(sentences("{}")).containsExactly("tools must be a list, not a table");
    assertThat(sentences("\"nonsense\"")).containsExactly("tools must be a list, not a string");
    assertThat(sentences("[{\"name\": \"a b\", \"handler\": true}]"))
        .containsExactly("tool 'a b': the name must be 1 to 64 letters, digits, '_' or '-'");
  }

  @Test
  void aSchemaFaultStandsWhereItsKeywordDoes() {
    String toml =
        AgentFolder.GOOD_TOOL
            + """
            strict = true
            [tools.parameters]
            type = "object"
            additionalProperties = false
            required = ["address", "gone"]
            [tools.parameters.properties.address]
            type = "object"
            properties = { city = { type = "strin" } }
            """;

    assertThat(new AgentFolder(folder).faults(toml))
        .containsExactly(
            "agent.toml:8:1: error: tool 'good': `parameters['required']` names 'gone', which is"
                + " not in `parameters['properties']`.",
            "agent.toml:9:1: error: tool 'good': strict: `parameters.properties.address` must set"
                + " `additionalProperties` to false.",
            "agent.toml:9:1: error: tool 'good': strict: `parameters.properties.address` must list"
                + " 'city' in `required` (optional is written as a nullable type).",
            "agent.toml:11:25: error: tool 'good': `parameters.properties.address.properties.city"
                + "['type']` is \"strin\", which is not a type (did you mean 'string'?).");
  }

  @Test
  void faultsOfAParametersFileNameThatFile() {
    AgentFolder agent = new AgentFolder(folder);
    agent.write("good.json", "{\n \"type\": \"object\",\n \"required\": \"a\"\n}");
    String toml = AgentFolder.GOOD_TOOL + "parameters_file = \"good.json\"";

    assertThat(agent.faults(toml))
        .containsExactly(
            "good.json:3:2: error: tool 'good': `parameters['required']` must be a list of field"
                + " names.");

    agent.write("good.json", "{\n \"type\": ");
    assertThat(agent.faults(toml))
        .containsExactly(
            "good.json:2:10: error: tool 'good': `parameters` must be a JSON Schema of type"
                + " 'object'.",
            "good.json:2:10: error: tools[0].parameters_file is not JSON: it ends too early (line"
                + " 2, column 10)");

    agent.write("good.json", "{\"type\":\"object\",\"properties\":{\"a\":{}}}");
    assertThat(agent.read(toml).tools().getFirst().definition().parameters())
        .hasToString("{\"type\":\"object\",\"properties\":{\"a\":{}}}");
    assertThat(agent.faults(toml + "\nparameters = '{}'"))
        .contains("agent.toml:4:1: error: tools[0] has both 'parameters' and 'parameters_file'");
  }

  private static String toolsOf(Vector vector) {
    if (vector.given().has("tools")) {
      return vector.given().path("tools").toString();
    }
    ObjectNode tool = Codec.object();
    vector.given().path("tool").forEachEntry(tool::set);
    return "[" + tool.put("handler", "code") + "]";
  }

  /// What is wrong with the tools of a file, but that it cannot hold code: a `handler` of any kind
  /// stands for it here.
  private static List<String> sentences(String tools) {
    FaultList faults = new FaultList();
    Source source = new Source("agent.toml", TextTree.ofJson("{\"tools\":" + tools + "}"), faults);
    FileContext file =
        new FileContext(
            Value.root(source),
            Path.of("agent.toml"),
            Environment.of(name -> null),
            Severity.ERROR,
            GuardedHttp.strict());
    List<StatedTool> stated = new FileTables(Value.root(source), file).tools();
    AgentToml.Agent agent = Binder.bound(Value.root(source).member("agent"), AgentToml.Agent.class);
    new AgentTools(agent, Set.of(), stated, JavaTools.UNKNOWN).check(false);
    return faults.inOrder().stream()
        .map(fault -> fault.message().replaceFirst("; a tool made in Java .*", ""))
        .filter(sentence -> !sentence.contains("which a file cannot hold"))
        .toList();
  }
}
