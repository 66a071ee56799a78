package dev.switchboard.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.testing.StubWebhook;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tools of a file that are answered by a service's own requests, or by programs.
final class ServicesOfAFileTest {
  private static final String PARAMETERS =
      """
      parameters = { type = "object", properties = { id = { type = "string" }, n = { type = "integer" } }, required = ["id"] }
      """;

  @TempDir private Path folder;

  private AgentFolder folder() {
    return new AgentFolder(folder, Map.of("SHOP_TOKEN", "s3cret"));
  }

  private static ToolResult call(Tool tool, String arguments) {
    return ToolExecutor.of(tool)
        .execute(
            new ToolCall("c1", tool.name(), Json.text(arguments)),
            ToolSession.builder("s").build());
  }

  @Test
  void aServiceAnswers() {
    try (StubWebhook service = StubWebhook.start()) {
      service.answer(200, "{\"order\":{\"state\":\"shipped\"}}");
      Tool tool =
          folder()
              .read(
                  """
                  [network]
                  allow = ["HOST"]
                  [[tools]]
                  name = "get_order"
                  http = { method = "get", url = "http://HOST/orders/{id}", query = ["n"], headers = { Authorization = "Bearer ${SHOP_TOKEN}" }, result = "$.order" }
                  """
                          .replace("HOST", service.hostAndPort())
                      + PARAMETERS)
              .tools()
              .getFirst();
      assertThat(tool.definition().mode()).isEqualTo(ToolMode.READ);
      assertThat(tool.options().retry().maxRetries()).isPositive();
      assertThat(call(tool, "{\"id\":\"A/1\",\"n\":3}").text())
          .isEqualTo("{\"state\":\"shipped\"}");
      StubRequest request = service.takeRequest(Duration.ofMinutes(5));
      assertThat(request.path()).isEqualTo("/orders/A%2F1?n=3");
      assertThat(request.header("Authorization")).isEqualTo("Bearer s3cret");
    }
  }

  @Test
  void parametersOfAnyScriptHavePlaces() {
    try (StubWebhook service = StubWebhook.start()) {
      service.answer(200, "{}");
      List<Tool> tools =
          folder()
              .read(
                  """
                  [network]
                  allow = ["HOST"]
                  [[tools]]
                  name = "get_order"
                  http = { method = "post", url = "http://HOST/{größe}", headers = { X-Size = "{größe}" }, body = { size = "{größe}" } }
                  parameters = { type = "object", properties = { "größe" = { type = "string" } }, required = ["größe"] }
                  [[tools]]
                  name = "show"
                  mode = "read"
                  command = ["echo", "{größe}"]
                  parameters = { type = "object", properties = { "größe" = { type = "string" } }, required = ["größe"] }
                  """
                      .replace("HOST", service.hostAndPort()))
              .tools();
      assertThat(call(tools.getFirst(), "{\"gr_e\":\"a b\"}").text()).isEqualTo("{}");
      StubRequest request = service.takeRequest(Duration.ofMinutes(5));
      assertThat(request.path()).isEqualTo("/a%20b");
      assertThat(request.header("X-Size")).isEqualTo("a b");
      assertThat(request.body()).isEqualTo("{\"size\":\"a b\"}");
      assertThat(call(tools.getLast(), "{\"gr_e\":\"a b\"}").text().strip()).isEqualTo("a b");
    }
  }

  @Test
  void aProgramAnswers() {
    Tool tool =
        folder()
            .read(
                """
                [[tools]]
                name = "show"
                command = ["sh", "-c", "echo \\"$0:$1:$TOKEN:$OTHER\\"", "x{n}", "id={id}"]
                env = { TOKEN = "${SHOP_TOKEN}" }
                """
                    + PARAMETERS)
            .tools()
            .getFirst();
    assertThat(tool.definition().mode()).isEqualTo(ToolMode.LOCAL);
    assertThat(tool.options().retry().maxRetries()).isZero();
    ToolResult asked = call(tool, "{\"id\":\"a b\",\"n\":2}");
    assertThat(asked.code()).isEqualTo(ResultCode.NO_APPROVER);
    Tool trusted =
        folder()
            .read(
                """
                [[tools]]
                name = "show"
                mode = "read"
                command = ["sh", "-c", "echo \\"$0:$1:$TOKEN:$OTHER\\"", "x{n}", "id={id}"]
                env = { TOKEN = "${SHOP_TOKEN}" }
                """
                    + PARAMETERS)
            .tools()
            .getFirst();
    assertThat(call(trusted, "{\"id\":\"a b\",\"n\":2}").text()).isEqualTo("x2:id=a b:s3cret:");
  }

  @Test
  void theUrlOfAServiceIsCheckedAsThatOfAWebhook() {
    String toml =
        "[[tools]]\nname = \"t\"\nhttp = { url = \"http://10.0.0.1/{id}\", query = [\"n\"] }\n"
            + PARAMETERS;
    assertThat(folder().all(toml))
        .extracting(ConfigException.Fault::kind)
        .containsExactly(FaultClass.URL_BLOCKED);
    assertThat(folder().all(toml + "[network]\nallow = [\"10.0.0.1:80\"]")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "http = { url = \"https://a.example/{no}\" } | has a place for 'no', which is not one of",
        "http = { url = \"https://a.example/{n}\", query = [\"id\"] } | has '{n}', which has to be"
            + " required",
        "http = { url = \"https://a.example/{id}\" } | sends the parameter 'n' nowhere",
        "http = { url = \"https://{id}/\" , query = [\"n\"] } | the host of a URL cannot be an"
            + " argument",
        "http = { url = \"http://10.0.0.1/{id}\", query = [\"n\"] } | tools[0].http.url is"
            + " blocked: 10.0.0.1 is private (10.0.0.0/8); if you trust this service, write allow ="
            + " [\"10.0.0.1:80\"] below [network]",
        "http = { url = \"https://a.example/{id}\", method = \"FETCH\" } | must be one of 'GET',"
            + " 'HEAD'",
        "http = { url = \"https://a.example/{id}\", method = \"POST\", body = \"xml\" } | must be"
            + " 'json', 'form', 'none' or a table",
        "http = { url = \"https://a.example/{id}\", query = [\"n\"], result = \"a b\" } | neither a"
            + " path",
        "http = { method = \"GET\" } | needs 'url'",
        "http = { url = \"https://a.example/{id}\", query = [\"n\"], headers = { X = \"${UNSET}\" }"
            + " } | names the environment variable 'UNSET'",
        "http = { url = \"https://a.example/{id}\", query = [\"n\"], headers = { Host = \"x\" } } |"
            + " tools[0].http.headers.Host cannot be sent: header 'Host' is made by the client",
        "http = { url = \"https://a.example/{id}\", query = [\"n\"], idempotency_header = \"Host\""
            + " } | cannot be sent: header 'Host' is made by the client",
        "command = [\"{id}\"] | the program of a command cannot be an argument",
        "command = [\"echo\", \"{no}\"] | has '{no}', which is not one of the tool's parameters",
        "command = [\"echo\"]/cwd = \"nowhere\" | is not a folder",
        "command = [\"echo\"]/env = [\"UNSET\"] | names the environment variable 'UNSET'",
        "command = [\"echo\"]/stdin = \"text\" | must be one of 'json'",
        "command = [\"echo\"]/secret_env = \"SHOP_TOKEN\" | is for a webhook",
        "command = [\"echo\"]/http = { url = \"https://a.example/\" } | has both 'http' and"
            + " 'command'",
        "webhook_url = \"https://a.example/\"/command = [\"echo\"] | has both 'webhook_url' and"
            + " 'command'",
        "webhook_url = \"https://a.example/\"/stdin = \"json\" | is for a command",
      })
  void everyFaultIsToldWithItsPlace(String lines, String words) {
    String toml =
        "[[tools]]\nname = \"t\"\n"
            + lines
                .replace("/cwd", "\ncwd")
                .replace("/env", "\nenv")
                .replace("/stdin", "\nstdin")
                .replace("/secret", "\nsecret")
                .replace("/http =", "\nhttp =")
                .replace("/command =", "\ncommand =")
            + "\n"
            + PARAMETERS;
    assertThat(folder().all(toml))
        .anySatisfy(fault -> {
          assertThat(fault.message()).contains(words);
          assertThat(fault.line()).isPositive();
        });
  }
}
