package dev.switchboard.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.config.AgentFile;
import dev.switchboard.config.AgentFolder;
import dev.switchboard.config.ConfigurationPage;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.testing.StubWebhook;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Operations of a document as tools of an agent's file.
final class OpenApiOfAFileTest {
  private static final String PETS =
      """
      openapi: 3.1.0
      servers: [{ url: "http://HOST/v1" }]
      security: [{ key: [] }]
      paths:
        /pets:
          get:
            operationId: listPets
            summary: Lists pets.
            tags: [reading]
            parameters:
              - { name: tag, in: query, schema: { type: array, items: { type: string } } }
              - { name: limit, in: query, schema: { type: integer, maximum: 100 } }
          post:
            operationId: createPet
            tags: [writing]
            requestBody:
              required: true
              content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } }
        /pets/{petId}:
          parameters: [{ name: petId, in: path, required: true, schema: { type: string } }]
          get: { operationId: getPet, summary: One pet., tags: [reading] }
          delete: { summary: Removes a pet., tags: [writing] }
        /pets/{petId}/photo:
          put:
            operationId: setPhoto
            parameters: [{ name: petId, in: path, required: true, schema: { type: string } }]
            requestBody: { content: { image/png: {} } }
      components:
        securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
        schemas:
          Pet:
            type: object
            required: [id, name]
            properties:
              id: { type: string, readOnly: true }
              name: { type: string }
              secret: { type: string, writeOnly: true }
              mother: { $ref: "#/components/schemas/Pet" }
      """;

  @TempDir private Path folder;
  private final StubWebhook service = StubWebhook.start();

  @BeforeEach
  void write() {
    folder().write("pets.yaml", PETS.replace("HOST", service.hostAndPort()));
  }

  @AfterEach
  void close() {
    service.close();
  }

  private AgentFolder folder() {
    return new AgentFolder(folder, Map.of("PET_KEY", "s3cret"));
  }

  private String agent(String lines) {
    return "[network]\nallow = [\"%s\"]\n[[agent.openapi]]\nfile = \"pets.yaml\"\nauth = { key = \"${PET_KEY}\" }\n%s\n"
        .formatted(service.hostAndPort(), lines);
  }

  private List<Tool> tools(String lines) {
    return folder().read(agent(lines)).tools();
  }

  private ToolResult call(Tool tool, String arguments) {
    service.answer(200, "{\"ok\":true}");
    return ToolExecutor.of(tool)
        .execute(
            new ToolCall("c1", tool.name(), Json.text(arguments)),
            ToolSession.builder("s").build());
  }

  private static Tool named(List<Tool> tools, String name) {
    return tools.stream().filter(tool -> tool.name().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void operationsAreTools() {
    AgentFile file = folder().read(agent(""));
    assertThat(file.tools().stream().map(Tool::name))
        .containsExactly("listPets", "createPet", "getPet", "delete_pets_petId");
    assertThat(file.tools().stream().map(tool -> tool.definition().mode()))
        .containsExactly(ToolMode.READ, ToolMode.EXTERNAL, ToolMode.READ, ToolMode.DESTRUCTIVE);
    assertThat(file.warnings())
        .singleElement()
        .satisfies(warning ->
            assertThat(warning.message())
                .isEqualTo(
                    "agent.openapi[0]: PUT /pets/{petId}/photo is not a tool: it has a body of"
                        + " image/png: JSON, forms and texts can be sent"));
  }

  @Test
  void theRequestIsTheDocuments() {
    Tool list = named(tools(""), "listPets");
    assertThat(call(list, "{\"tag\":[\"a b\",\"c\"],\"limit\":3}").text())
        .isEqualTo("{\"ok\":true}");
    StubRequest request = service.takeRequest(Duration.ofMinutes(5));
    assertThat(request.method()).isEqualTo("GET");
    assertThat(request.path()).isEqualTo("/v1/pets?tag=a%20b&tag=c&limit=3");
    assertThat(request.header("X-Key")).isEqualTo("s3cret");
  }

  @Test
  void aModelSeesNoCredentialsAndNothingThatIsOnlyRead() {
    Tool create = named(tools(""), "createPet");
    String schema = create.definition().parameters().text();
    assertThat(schema).contains("\"secret\"", "\"required\":[\"name\"]", "#/$defs/Pet");
    assertThat(schema).doesNotContain("\"id\"", "s3cret", "X-Key");
    assertThat(call(create, "{\"name\":\"Rex\",\"mother\":{\"name\":\"Kia\"}}").success()).isTrue();
    assertThat(service.takeRequest(Duration.ofMinutes(5)).body())
        .isEqualTo("{\"name\":\"Rex\",\"mother\":{\"name\":\"Kia\"}}");
    assertThat(call(create, "{\"name\":\"Rex\",\"id\":\"1\"}").success()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "include = [\"*Pet\"] | createPet,getPet",
        "include = [\"GET /pets*\"] | listPets,getPet",
        "include = [\"* /pets/{petId}\"] | getPet,delete_pets_petId",
        "exclude = [\"listPets\", \"DELETE *\", \"setPhoto\"] | createPet,getPet",
        "tags = [\"reading\"] | listPets,getPet",
        "tags = [\"writing\"]/prefix = \"pet\" | pet__createPet,pet__delete_pets_petId",
      })
  void someOperationsAreWanted(String lines, String names) {
    assertThat(
            String.join(
                ",", tools(lines.replace("/prefix", "\nprefix")).stream().map(Tool::name).toList()))
        .isEqualTo(names);
  }

  @Test
  void aFileSaysHowAnOperationIsRun() {
    List<Tool> tools =
        tools(
            """
            timeout = "3s"
            idempotency_header = "Idempotency-Key"
            base_url = "http://HOST/v2"
            headers = { X-Org = "acme" }
            tools = { createPet = { mode = "local", timeout = "20s", result_limit = 2000, usage_rule = "Ask for the name." } }
            """
                .replace("HOST", service.hostAndPort()));
    Tool create = named(tools, "createPet");
    assertThat(create.definition().mode()).isEqualTo(ToolMode.LOCAL);
    assertThat(create.definition().usageRule()).isEqualTo("Ask for the name.");
    assertThat(create.options().timeout()).isEqualTo(Duration.ofSeconds(20));
    assertThat(create.options().resultLimit()).isEqualTo(2000);
    Tool get = named(tools, "getPet");
    assertThat(get.options().timeout()).isEqualTo(Duration.ofSeconds(3));
    assertThat(call(get, "{\"petId\":\"7\"}").success()).isTrue();
    StubRequest request = service.takeRequest(Duration.ofMinutes(5));
    assertThat(request.path()).isEqualTo("/v2/pets/7");
    assertThat(request.header("X-Org")).isEqualTo("acme");
    assertThat(request.header("Idempotency-Key")).isNotBlank();
  }

  @Test
  void aDocumentCanBeFetched() {
    service.answer(200, PETS.replace("http://HOST/v1", "/v3"));
    Tool get =
        folder()
            .read(
                """
                [network]
                allow = ["HOST"]
                [[agent.openapi]]
                url = "http://HOST/openapi.yaml"
                include = ["getPet"]
                auth = { key = "${PET_KEY}" }
                """
                    .replace("HOST", service.hostAndPort()))
            .tools()
            .getFirst();
    assertThat(service.takeRequest(Duration.ofMinutes(5)).path()).isEqualTo("/openapi.yaml");
    assertThat(call(get, "{\"petId\":\"7\"}").success()).isTrue();
    assertThat(service.takeRequest(Duration.ofMinutes(5)).path()).isEqualTo("/v3/pets/7");
  }

  @Test
  void aFetchedDocumentSendsNoCredentialsElsewhere() {
    service.answer(200, PETS.replace("http://HOST/v1", "https://other.example/v1"));
    assertThat(
            folder()
                .faults(
                    """
                    [network]
                    allow = ["HOST"]
                    [[agent.openapi]]
                    url = "http://HOST/openapi.yaml"
                    auth = { key = "${PET_KEY}" }
                    """
                        .replace("HOST", service.hostAndPort())))
        .singleElement()
        .asString()
        .contains("has a server on another host than the document: state base_url");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "include = [\"getPets\"] | include[0] 'getPets' matches no operation; did you mean"
            + " 'getPet'?",
        "tags = [\"nothing\"] | tags[0] 'nothing' is not the tag of an operation",
        "tools = { getPat = {} } | tools.getPat is not an operation that becomes a tool; did you"
            + " mean 'getPet'?",
        "tools = { getPet = { webhook_url = \"https://a.example\" } } | webhook_url is for a tool"
            + " that is defined in [[tools]]",
        "tools = { getPet = { timeout = 0 } } | timeout must be more than 0",
        "base_url = \"http://10.0.0.1/\" | base_url is blocked",
        "headers = { Host = \"x\" } | cannot be sent: header 'Host' is made by the client",
        "headers = { X = \"${UNSET}\" } | names the environment variable 'UNSET', which is not set",
        "url = \"https://a.example/x\" | needs either 'file' or 'url' of an OpenAPI document",
        "includes = [\"x\"] | unknown key 'includes' in agent.openapi[0]; did you mean 'include'?",
      })
  void everyFaultIsToldWithItsPlace(String lines, String words) {
    assertThat(folder().faults(agent(lines)))
        .anySatisfy(fault -> assertThat(fault).contains(words));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "swagger: '2.0' | which is Swagger 2.0: convert it to OpenAPI 3 first",
        "openapi: 3.9.0 | which is of OpenAPI '3.9.0': 3.0, 3.1 and 3.2 are read",
        "title: x | which is not an OpenAPI document: it has no 'openapi' with a version",
        "{ | which is not JSON",
        "a: [ | which is neither JSON nor YAML",
        "openapi: 3.1.0 | has no operation that becomes a tool",
      })
  void aFileThatIsNotADocumentIsAFault(String text, String words) {
    folder().write("pets.yaml", text);
    assertThat(folder().faults(agent("").replace("auth =", "# auth =")))
        .singleElement()
        .asString()
        .contains(words);
  }

  @Test
  void withoutCredentialsTheReasonIsTold() {
    assertThat(folder().faults(agent("").replace("auth =", "# auth =")))
        .singleElement()
        .asString()
        .contains(
            "has no operation that becomes a tool; GET /pets asks for auth.key (apiKey header)");
    assertThat(tools("headers = { x-key = \"mine\" }").size()).isEqualTo(4);
  }

  @Test
  void eachKeyHasItsRow() throws IOException {
    assertThat(ConfigurationPage.rows("`agent.openapi`"))
        .containsExactlyElementsOf(ConfigurationPage.keys(OpenApiKeys.class));
  }
}
