package dev.switchboard.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.config.AgentFile;
import dev.switchboard.json.Json;
import dev.switchboard.mcp.McpTable;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.testing.StubWebhook;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Tools of others as tables of an agent's file, and back.
class ToolImportTest {
  private static final String PETS =
      """
      openapi: 3.0.3
      servers: [{ url: "http://HOST/v1" }]
      paths:
        /pets:
          get:
            operationId: listPets
            parameters: [{ name: filter, in: query, style: deepObject, schema: { type: object } }]
          post:
            operationId: createPet
            summary: Adds a pet.
            requestBody:
              content: { multipart/form-data: {} }
        /pets/{petId}:
          get:
            operationId: getPet
            summary: One pet.
            parameters:
              - { name: petId, in: path, required: true, schema: { type: string } }
              - { name: expand, in: query, schema: { type: array, items: { type: string } } }
          put:
            operationId: changePet
            x-destructive: true
            parameters: [{ name: petId, in: path, required: true, schema: { type: string } }]
            requestBody:
              content:
                application/json:
                  schema: { type: object, required: [name], properties: { name: { type: string } } }
      """;

  private static final String AGENT =
      """
      # A desk.
      [agent]
      name = "Desk"   # said aloud
      tools = ["look"]

      [[tools]]
      name = "look"
      webhook_url = "https://api.example.com/look"

      [network]
      allow = ["HOST"]
      """;

  @TempDir private Path folder;

  private String write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  @Test
  void operationsAreWrittenBehindTheToolsOfTheFile() throws IOException {
    try (StubWebhook service = StubWebhook.start()) {
      String pets = write("pets.yaml", PETS.replace("HOST", service.hostAndPort()));
      String agent = write("agent.toml", AGENT.replace("HOST", service.hostAndPort()));
      Cli run = Cli.run("tool", "import", "openapi", pets, "-o", agent);
      assertThat(run.out()).isEqualTo("Added 2 tools to " + agent + "\n");
      assertThat(run.err())
          .isEqualTo(
              """
              GET /pets is left out: it cannot be sent: 'http' cannot say the style of the parameter 'filter'; [[agent.openapi]] can
              POST /pets is left out: it has a body of multipart/form-data: JSON, forms and texts can be sent
              """);
      assertThat(Files.readString(Path.of(agent)))
          .startsWith(
              """
              # A desk.
              [agent]
              name = "Desk"   # said aloud
              tools = ["look", "getPet", "changePet"]
              """)
          .contains("mode = \"destructive\"", "[network]\nallow = ");
      service.answer(200, "{\"name\":\"Rex\"}");
      assertThat(
              Cli.run(
                      "tool",
                      "call",
                      agent,
                      "getPet",
                      "{\"petId\":\"a/b\",\"expand\":[\"x\",\"y\"]}")
                  .out())
          .isEqualTo("{\"name\":\"Rex\"}\n");
      StubRequest request = service.takeRequest(Duration.ofMinutes(5));
      assertThat(request.path()).isEqualTo("/v1/pets/a%2Fb?expand=x&expand=y");
      Cli again = Cli.run("tool", "import", "openapi", pets, "--include", "getPet", "-o", agent);
      assertThat(again.out()).isEqualTo("Added 0 tools to " + agent + "\n");
      assertThat(again.err()).contains("tool 'getPet' is left out: " + agent + " has it already");
    }
  }

  @Test
  void withoutAFileTheTablesArePrinted() throws IOException {
    String pets = write("pets.yaml", PETS.replace("HOST", "pets.example.com"));
    assertThat(Cli.run("tool", "import", "openapi", pets, "--include", "getPet").out())
        .isEqualTo(
            """
            [[tools]]
            name = "getPet"
            description = "One pet."
            http = { url = "http://pets.example.com/v1/pets/{petId}", query = ["expand"] }
            parameters = '''
            {
              "type" : "object",
              "properties" : {
                "petId" : {
                  "type" : "string"
                },
                "expand" : {
                  "type" : "array",
                  "items" : {
                    "type" : "string"
                  }
                }
              },
              "required" : [ "petId" ],
              "additionalProperties" : false
            }
            '''
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "openai |"
            + " {\"type\":\"function\",\"function\":{\"name\":\"look\",\"description\":\"d\",\"parameters\":{\"type\":\"object\",\"properties\":{}},\"strict\":false}}",
        "openai |"
            + " [{\"type\":\"function\",\"name\":\"look\",\"description\":\"d\",\"parameters\":{\"type\":\"object\",\"properties\":{}}}]",
        "openai |"
            + " {\"model\":\"m\",\"tools\":[{\"name\":\"look\",\"description\":\"d\",\"parameters\":{\"type\":\"object\",\"properties\":{}}}]}",
        "anthropic |"
            + " [{\"name\":\"look\",\"description\":\"d\",\"input_schema\":{\"type\":\"object\",\"properties\":{}}}]",
        "anthropic |"
            + " {\"name\":\"look\",\"description\":\"d\",\"input_schema\":{\"type\":\"object\",\"properties\":{}}}",
      })
  void definitionsAreRead(String form, String json) throws IOException {
    String tools = write("tools.json", json);
    Cli run = Cli.run("tool", "import", form, tools, "--webhook-url", "https://a.example/{name}");
    assertThat(run)
        .isEqualTo(
            new Cli(
                0,
                """
                [[tools]]
                name = "look"
                description = "d"
                webhook_url = "https://a.example/look"
                parameters = '''
                {
                  "type" : "object",
                  "properties" : { }
                }
                '''
                """,
                ""));
  }

  @Test
  void aSchemaThatCannotBeCheckedIsImportedAndLoads() throws IOException {
    String tools =
        write(
            "tools.json",
            "[{\"name\":\"予約\",\"description\":\"Books.\",\"strict\":true,\"parameters\":{\"type\":\"object\",\"properties\":{"
                + "\"mail\":{\"type\":\"string\",\"pattern\":\"^(?!\\\\.)\"}}}},"
                + "{\"name\":\"予定\"},{\"name\":\"a.b\"},{\"name\":\"a_b\"},{\"name\":\"a-b\"}]");
    String agent = write("agent.toml", "");
    Cli run =
        Cli.run(
            "tool",
            "import",
            "--webhook-url",
            "https://a.example/{name}",
            "-o",
            agent,
            "openai",
            tools);
    assertThat(run.out()).isEqualTo("Added 5 tools to " + agent + "\n");
    assertThat(run.err())
        .contains(
            "'strict' is not kept: its schema is not strict",
            "`parameters.properties.mail['pattern']` is not a regular expression that can be"
                + " checked in linear time: \"^(?!\\\\.)\"; it is left to the server.");
    assertThat(Files.readString(Path.of(agent)))
        .contains("imported = true", "(?!", "Original name: 予約");
    Cli checked = Cli.run("validate", agent);
    assertThat(checked.exit()).as(checked.err()).isZero();
    assertThat(checked.err()).containsOnlyOnce("it is left to the server");
    AgentFile file = AgentFile.read(Path.of(agent));
    assertThat(file.tools()).hasSize(5);
  }

  @Test
  void whatCannotBeKeptIsSaid() throws IOException {
    String tools =
        write(
            "tools.json",
            "[{\"type\":\"web_search\"},{\"type\":\"function\",\"name\":\"end_call\"},{\"name\":\"a"
                + " b\"},"
                + "{\"name\":\"bad\",\"parameters\":{\"type\":\"array\"}},{\"name\":\"x\",\"cache_control\":{}}]");
    Cli run = Cli.run("tool", "import", "openai", tools);
    assertThat(run.out()).contains("name = \"x\"", "https://api.example.com/tools/x");
    assertThat(run.err())
        .isEqualTo(
            """
            tools[0] is left out: 'web_search' is a tool of OpenAI's own
            tools[1] is left out: 'end_call' is a reserved name
            tool 'a_b' is called 'a b' there
            tool 'bad': `parameters['type']` is not 'object', the type of arguments; it is left to the server.
            tool 'x': 'cache_control' is not kept
            These definitions do not say what answers: change each webhook_url, or state --webhook-url.
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "openai |"
            + " [{\"name\":\"look\",\"input_schema\":S},{\"type\":\"web_search_20250305\",\"name\":\"w\"}]"
            + " | Anthropic's form ('input_schema'), and are read as such",
        "openai | {\"tools\":[{\"name\":\"look\",\"inputSchema\":S}]} |"
            + " MCP's form ('inputSchema'), and are read as such",
        "openai | [{\"type\":\"function\",\"name\":\"look\",\"inputSchema\":{\"jsonSchema\":S}}] |"
            + " MCP's form ('inputSchema'), and are read as such",
        "anthropic | [{\"type\":\"function\",\"function\":{\"name\":\"look\",\"parameters\":S}}] |"
            + " OpenAI's form ('parameters'), and are read as such",
        "openai | {\"model\":\"m\",\"functions\":[{\"name\":\"look\",\"parameters\":S}]} | These"
            + " definitions",
        "openai |"
            + " [{\"name\":\"look\",\"parameters\":\"{\\\"properties\\\":{\\\"city\\\":{}}}\"},{\"name\":\"n\",\"parameters\":7}]"
            + " | tools[1] is left out: its 'parameters' is no JSON Schema",
        "openai | \ufeff[{\"name\":\"look\",\"parameters\":S}] | These definitions",
        "openai |"
            + " [{\"title\":\"t\",\"type\":\"object\",\"properties\":{}},{\"name\":\"look\",\"parameters\":S}]"
            + " | tools[0] is left out: it is only a schema: write { name, description, parameters"
            + " }",
      })
  void anotherFormIsReadByItsShape(String form, String json, String said) throws IOException {
    String schema = "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}}}";
    String tools = write("tools.json", json.replace("S}", schema + "}"));
    Cli run = Cli.run("tool", "import", form, tools);
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out()).contains("name = \"look\"", "\"city\"");
    assertThat(run.err()).contains(said).doesNotContain("OpenAI's own");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "{\"tools\":[{\"functionDeclarations\":[{\"name\":\"a\"}]}]} | has the tools of Gemini: ",
        "[{\"function_declarations\":[{\"name\":\"a\"}]}] | has the tools of Gemini: ",
        "{\"toolConfig\":{\"tools\":[{\"toolSpec\":{\"name\":\"a\"}}]}} | has the tools of Amazon"
            + " Bedrock: ",
        "{\"a\":{\"inputSchema\":{}}} | has tools by their names: write a list",
        "[{\"name\":\"a\"},{\"name\":\"a\"}] | has 'a' twice: rename one, or leave it out.",
      })
  void aFormThatIsNotReadIsRefusedWithTheRemedy(String json, String said) throws IOException {
    Cli run = Cli.run("tool", "import", "openai", write("tools.json", json));
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(said);
  }

  @Test
  void aUrlIsNoFile() {
    assertThat(Cli.run("tool", "import", "openapi", "http://127.0.0.1:9/x.yaml").err())
        .contains("is a URL", "[[agent.openapi]] url");
  }

  @Test
  void anOperationThatNeedsNoLoginIsKept() throws IOException {
    String document =
        write(
            "api.yaml",
            """
            openapi: 3.1.0
            servers: [{ url: https://api.example.com }]
            security: [{ digest: [] }, {}]
            components: { securitySchemes: { digest: { type: http, scheme: digest } } }
            paths: { /a: { get: { operationId: getA, responses: {} } } }
            """);
    Cli run = Cli.run("tool", "import", "openapi", document);
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out()).contains("name = \"getA\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"openai", "anthropic", "openapi"})
  void whatIsExportedIsImportedAgain(String form) throws IOException {
    String agent =
        write(
            "agent.toml",
            """
            [[tools]]
            name = "look"
            description = "It's \\"quoted\\",\\n'''so'''."
            webhook_url = "https://api.example.com/look"
            parameters = '{"type":"object","properties":{"n":{"type":["integer","null"]}},"required":["n"],"additionalProperties":false}'
            """);
    String exported = Cli.run("tool", "export", agent, "--format", form).out();
    String file = write("tools.json", exported);
    String other = folder.resolve("other.toml").toString();
    Cli run =
        Cli.run("tool", "import", form, file, "-o", other, "--base-url", "https://api.example.com");
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(Cli.run("tool", "schema", other).out())
        .isEqualTo(Cli.run("tool", "schema", agent).out());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\":\"object\",\"properties\":{\"root\":{\"$ref\":\"#/$defs/N\"}},\"required\":[\"root\"],\"$defs\":{\"N\":{\"type\":\"object\",\"properties\":{\"v\":{\"type\":\"integer\"},\"kids\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/N\"}}},\"required\":[\"v\"]}}}",
        "{\"type\":\"object\",\"properties\":{\"root\":{\"$ref\":\"#/definitions/a%20b~1c\"}},\"required\":[\"root\"],\"definitions\":{\"a"
            + " b/c\":{\"type\":\"object\",\"properties\":{\"v\":{\"type\":\"integer\"}},\"required\":[\"v\"]}}}",
        "{\"type\":\"object\",\"properties\":{\"root\":{\"type\":\"object\",\"properties\":{\"v\":{\"type\":\"integer\"},\"more\":{\"$ref\":\"#/properties/root\"}},\"required\":[\"v\"]}},\"required\":[\"root\"]}",
        "{\"type\":\"object\",\"properties\":{\"root\":{\"type\":\"object\",\"properties\":{\"v\":{\"type\":\"integer\"}},\"required\":[\"v\"]},\"default\":{\"$ref\":\"#/properties/root\"}},\"required\":[\"root\"]}",
        "{\"type\":\"object\",\"properties\":{\"root\":{\"type\":\"object\",\"required\":[\"v\"],\"properties\":{\"v\":{\"type\":\"integer\"}}},\"self\":{\"$ref\":\"#\"}},\"required\":[\"root\"]}"
      })
  void referencesOfAnExportedDocumentResolve(String parameters) throws IOException {
    String agent =
        write(
            "agent.toml",
            """
            [[tools]]
            name = "save_tree"
            webhook_url = "https://api.example.com/look"
            parameters = '%s'
            [[tools]]
            name = "other"
            webhook_url = "https://api.example.com/look"
            parameters = '{"type":"object","properties":{"n":{"$ref":"#/$defs/N"}},"$defs":{"N":{"type":"string"}}}'
            """
                .formatted(parameters));
    String exported = Cli.run("tool", "export", agent, "--format", "openapi").out();
    JsonNode document = Json.text(exported).tree();
    for (JsonNode reference : document.findValues("$ref")) {
      if (reference.isString()) {
        String pointer = URLDecoder.decode(reference.stringValue().substring(1), UTF_8);
        assertThat(document.at(pointer).isMissingNode()).as(pointer).isFalse();
      }
    }
    String file = write("tools.json", exported);
    String other = folder.resolve("other.toml").toString();
    Cli run =
        Cli.run(
            "tool", "import", "openapi", file, "-o", other, "--base-url", "https://a.example.com");
    assertThat(run.exit()).as(run.err()).isZero();
    for (String arguments : List.of("{\"root\":{\"v\":\"x\"}}", "{\"root\":{}}", "{}")) {
      assertThat(Cli.run("tool", "call", other, "save_tree", arguments).err())
          .isEqualTo(Cli.run("tool", "call", agent, "save_tree", arguments).err())
          .contains("/root");
    }
  }

  @Test
  void anMcpServersListIsExportedToo() throws IOException {
    String agent =
        write("agent.toml", "[[tools]]\nname = \"get_x\"\nwebhook_url = \"https://a.example/\"\n");
    assertThat(Json.text(Cli.run("tool", "export", agent, "--format", "mcp").out()).tree())
        .hasToString(
            "{\"tools\":[{\"name\":\"get_x\",\"description\":\"\",\"inputSchema\":{\"type\":\"object\",\"properties\":{}},"
                + "\"annotations\":{\"readOnlyHint\":true,\"destructiveHint\":false}}]}");
  }

  @Test
  void whatIsWrongIsOneSentence() throws IOException {
    String text = write("text", "swagger: '2.0'");
    assertThat(Cli.run("tool", "import", "openapi", text).err())
        .contains("is Swagger 2.0: convert it to OpenAPI 3 first.");
    assertThat(Cli.run("tool", "import", "openai", text).err()).contains("is not JSON");
    assertThat(Cli.run("tool", "import", "other", text).err())
        .contains("The form must be openapi, openai, anthropic or mcp, not 'other'.");
    assertThat(Cli.run("tool", "import", "openai", text + "s").err()).contains("does not exist");
    assertThat(Cli.run("tool", "export", text, "--format", "xml").err())
        .contains("--format must be openai, anthropic, mcp or openapi, not 'xml'.");
    String broken = write("broken.toml", "[[tools]]\nname = 1\n");
    String one = write("one.json", "{\"name\":\"x\"}");
    assertThat(Cli.run("tool", "import", "openai", one, "-o", broken).err())
        .contains("broken.toml has an error: ");
    assertThat(Files.readString(Path.of(broken))).isEqualTo("[[tools]]\nname = 1\n");
  }

  @Test
  void serversOfAnotherProgramAreTakenOver() throws IOException {
    Path other = folder.resolve("servers.json");
    Files.writeString(
        other,
        """
        {"mcpServers": {
          "my files": {"command": "files-server", "args": ["--root", "."], "env": {"KEY": "k"},
                       "autoApprove": ["read"]},
          "off": {"command": "x", "disabled": true},
          "web": {"type": "http", "url": "https://mcp.example.com/mcp"}}}\
        """);
    Path agent = folder.resolve("new.toml");

    Cli run = Cli.run("tool", "import", "-o", agent.toString(), "mcp", other.toString());

    assertThat(run.out()).contains("Added 2 MCP servers");
    assertThat(run.err())
        .contains("'autoApprove' of 'my files' is not kept.")
        .contains("'off' is left out: it is disabled.")
        .contains("Secrets of 'my files'");
    assertThat(Files.readString(agent))
        .contains("name = \"my-files\"", "command = \"files-server\"", "[[agent.mcp]]")
        .contains("url = \"https://mcp.example.com/mcp\"");
    assertThat(McpTable.servers(AgentFile.read(agent))).hasSize(2);
    assertThat(Cli.run("tool", "import", "-o", agent.toString(), "mcp", other.toString()).err())
        .contains("MCP server 'web' is left out");
  }
}
