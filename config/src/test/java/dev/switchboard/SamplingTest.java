package dev.switchboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.agent.Agent;
import dev.switchboard.anthropic.AnthropicModel;
import dev.switchboard.config.AgentFile;
import dev.switchboard.config.ConfigException;
import dev.switchboard.json.Json;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.openai.OpenAiModel;
import dev.switchboard.provider.Provider;
import dev.switchboard.testing.StubWebhook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// Each key of a model's table reaches the wire of each provider, from a file and from Java.
class SamplingTest {
  @TempDir private Path folder;

  private JsonNode sent(String provider, String keys, String more) throws IOException {
    try (StubWebhook server = StubWebhook.start()) {
      server.answer(400, "{}");
      Path file = folder.resolve("agent.toml");
      Files.writeString(
          file,
          "[agent]\nsystem_prompt = \"Hi\"\n%s\nmodel = { provider = \"%s\", name = \"m\", base_url = \"%s\"%s }\n"
              .formatted(more, provider, server.url() + "v1", keys.isEmpty() ? "" : ", " + keys));
      try (Agent agent = Switchboard.agent(file)) {
        var unused = agent.conversation("c").say("Hello");
      }
      return server.requests().getFirst().json().tree();
    }
  }

  private static JsonNode sent(String provider, UnaryOperator<ModelOptions.Builder> options) {
    try (StubWebhook server = StubWebhook.start()) {
      server.answer(400, "{}");
      ModelOptions there =
          options.apply(ModelOptions.builder().baseUrl(server.url() + "v1")).build();
      ChatModel model =
          provider.equals("anthropic") ? AnthropicModel.of("m", there) : OpenAiModel.of("m", there);
      try (Agent agent = Agent.builder("a").model(model).build()) {
        var unused = agent.conversation("c").say("Hello");
      }
      return server.requests().getFirst().json().tree();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "openai    | temperature = 0.5                       | /temperature                | 0.5",
        "anthropic | temperature = 0.5                       | /temperature                | 0.5",
        "openai    | max_tokens = 77                         | /max_tokens                 | 77",
        "anthropic | max_tokens = 77                         | /max_tokens                 | 77",
        "openai    | reasoning = \"low\"                     | /reasoning_effort           |"
            + " \"low\"",
        "anthropic | reasoning = \"low\"                     | /output_config/effort       |"
            + " \"low\"",
        "anthropic | reasoning = \"low\"                     | /thinking                   |"
            + " {\"type\":\"adaptive\"}",
        "anthropic | reasoning = 2000                        | /thinking/budget_tokens     | 2000",
        "anthropic | reasoning = 2000                        | /max_tokens                 | 18384",
        "anthropic | reasoning = \"none\"                    | /thinking/type              |"
            + " \"disabled\"",
        "openai    | options = { top_p = 0.9, seed = 7 }     | /top_p                      | 0.9",
        "openai    | options = { top_p = 0.9, seed = 7 }     | /seed                       | 7",
        "openai    | options = { a = { b = [1, true] } }     | /a                          |"
            + " {\"b\":[1,true]}",
        "openai    | api = \"responses\"                    | /store                      | false",
        "openai    | api = \"responses\"                    | /input/0/role               |"
            + " \"developer\"",
        "openai    | api = \"chat\"                         | /messages/0/role            |"
            + " \"system\"",
        "openai    | api = \"responses\", max_tokens = 77   | /max_output_tokens          | 77",
        "openai    | api = \"responses\", temperature = 0.5 | /temperature                | 0.5",
        "openai    | api = \"responses\", reasoning = \"max\", options = { reasoning = { summary ="
            + " \"auto\" } } | /reasoning | {\"effort\":\"max\",\"summary\":\"auto\"}",
        "openai    | api = \"responses\", options = { text = { verbosity = \"low\" } } | /text |"
            + " {\"verbosity\":\"low\"}",
        "openai    | api = \"responses\", options = { parallel_tool_calls = false } |"
            + " /parallel_tool_calls | false",
        "anthropic | options = { top_k = 5, metadata = { user_id = \"u\" } } | /metadata |"
            + " {\"user_id\":\"u\"}",
        "anthropic | options = { output_config = { x = 1 } } | /output_config              |"
            + " {\"x\":1}",
        "anthropic | cache = true                            | /system/0/cache_control     |"
            + " {\"type\":\"ephemeral\"}",
        "anthropic | cache = false                           | /system                     | \"Hi\""
      })
  void aKeyOfTheFileReachesTheWire(String provider, String key, String pointer, String value)
      throws IOException {
    assertThat(sent(provider, key, "").at(pointer)).isEqualTo(Json.text(value).tree());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "openai    | format | /response_format/type        | \"json_schema\"",
        "anthropic | format | /output_config/format/type   | \"json_schema\"",
        "openai    | tool   | /tools/0/function/name       | \"final_reply\"",
        "anthropic | tool   | /tools/0/name                | \"final_reply\"",
        "openai    | tool   | /tool_choice                 | \"required\"",
        "anthropic | tool   | /tool_choice/type            | \"auto\""
      })
  void theFormOfTheFileReachesTheWire(String provider, String way, String pointer, String value)
      throws IOException {
    String form = "reply = { type = \"object\", properties = {}, additionalProperties = false }";
    JsonNode body = sent(provider, "structured = \"" + way + "\"", form);
    assertThat(body.at(pointer)).isEqualTo(Json.text(value).tree());
  }

  @Test
  void javaSaysTheSame() {
    for (String provider : new String[] {"openai", "anthropic"}) {
      JsonNode body =
          sent(
              provider,
              options ->
                  options
                      .temperature(1)
                      .maxTokens(2048)
                      .reasoning("high")
                      .more(Json.text("{\"x\":1}")));
      assertThat(body.path("temperature").asDouble()).isEqualTo(1);
      assertThat(body.path("max_tokens").asInt()).isEqualTo(2048);
      assertThat(body.path("x").asInt()).isEqualTo(1);
      assertThat(body.toString()).contains("\"high\"");
    }
    assertThat(
            sent("anthropic", options -> options.reasoning(1024)).at("/thinking/type").asString())
        .isEqualTo("enabled");
    assertThatThrownBy(() -> OpenAiModel.of("m", ModelOptions.builder().reasoning(1024).build()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'reasoning'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "openai    | temperature = 2.5                     | agent.model.temperature must be 0 to"
            + " 2, not 2.5",
        "anthropic | temperature = 1.5                     | agent.model.temperature must be 0 to 1"
            + " here",
        "openai    | temperature = \"hot\"                 | agent.model.temperature must be a"
            + " number, not a string",
        "openai    | max_tokens = 0                        | agent.model.max_tokens must be at"
            + " least 1, not 0",
        "openai    | reasoning = \"LOTS\"                  | agent.model.reasoning must be a word"
            + " such as \"low\", or a number of tokens",
        "openai    | reasoning = \"lots\"                  | agent.model.reasoning must be one of"
            + " 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max' here",
        "openai    | reasoning = 2000                      | agent.model.reasoning must be one of"
            + " 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max' here",
        "anthropic | reasoning = 100                       | agent.model.reasoning must be at least"
            + " 1024 tokens",
        "anthropic | reasoning = 2000, max_tokens = 2000   | agent.model.reasoning must be fewer"
            + " tokens than 'max_tokens'",
        "anthropic | reasoning = \"low\", temperature = 0.5 | agent.model.temperature must be 1"
            + " where the model thinks first",
        "anthropic | reasoning = \"low\", options = { thinking = {} } | agent.model.reasoning and"
            + " 'options.thinking' say the same",
        "openai    | options = { stream = true }           | agent.model.options.stream is set by"
            + " the runtime",
        "openai    | options = { n = 3 }                   | agent.model.options.n is set by the"
            + " runtime",
        "anthropic | options = { output_config = { format = {} } } |"
            + " agent.model.options.output_config.format is set by the runtime",
        "openai    | api = \"responses\", options = { stop = \"x\" } | agent.model.options.stop is"
            + " for chat completions: set api = \"chat\"",
        "openai    | api = \"responses\", options = { store = true } | agent.model.options.store is"
            + " set by the runtime",
        "openai    | api = \"responses\", options = { truncation = \"auto\" } |"
            + " agent.model.options.truncation is set by the runtime",
        "openai    | api = \"responses\", options = { reasoning = { effort = \"low\" } } |"
            + " agent.model.options.reasoning.effort is set by the key 'reasoning'",
        "openai    | api = \"responses\", options = { text = { format = {} } } |"
            + " agent.model.options.text.format is set by the runtime",
        "openai    | api = \"messages\"                    | agent.model.api must be one of"
            + " 'responses', 'chat', not 'messages'",
        "anthropic | api = \"chat\"                        | agent.model.api is for other models:"
            + " anthropic has one API",
        "openai    | window = 0                            | agent.model.window must be at least 1,"
            + " not 0",
        "openai    | options = 3                           | agent.model.options must be a table,"
            + " not an integer",
        "openai    | cache = false                         | agent.model.cache is for models of"
            + " anthropic: other providers keep what they like",
        "openai    | structured = \"json\"                 | agent.model.structured must be one of"
            + " 'format', 'tool', not 'json'",
        "openai    | top_p = 1                             | unknown key 'top_p' in agent.model;"
            + " what the provider knows by it goes into its 'options'",
        "openai    | temprature = 1                        | unknown key 'temprature' in"
            + " agent.model; did you mean 'temperature'?",
        "openai    | reasoning_effort = \"low\"             | unknown key 'reasoning_effort' in"
            + " agent.model; did you mean 'reasoning'?"
      })
  void whatCannotBeTakenIsAnErrorWithItsLine(String provider, String key, String message)
      throws IOException {
    assertFault(
        "[agent]\nname = \"A\"\nmodel = { provider = \"%s\", name = \"m\", base_url = \"http://x\", %s }\n"
            .formatted(provider, key),
        message);
  }

  @Test
  void optionsFollowTheApiThatTheAddressHas() throws IOException {
    String table =
        "[agent]\nname = \"A\"\nmodel = { provider = \"%s\", name = \"m\", %s options = { stop ="
            + " \"x\" } }\n";
    for (String own :
        List.of(
            "",
            "base_url = \"https://api.openai.com/v1\",",
            "base_url = \"https://x.openai.azure.com/openai/v1/\",",
            "base_url = \"https://x.services.ai.azure.com/openai/v1\",")) {
      assertFault(
          table.formatted("openai", own),
          "agent.model.options.stop is for chat completions: set api = \"chat\"");
    }
    Path file = folder.resolve("agent.toml");
    for (String other :
        List.of(
            "api = \"chat\",",
            "base_url = \"https://x.openai.azure.com/openai/deployments/d\",",
            "base_url = \"http://127.0.0.1:1/v1\",")) {
      Files.writeString(file, table.formatted("openai", other));
      assertThat(AgentFile.read(file).warnings()).isEmpty();
    }
    Files.writeString(file, table.formatted("groq", ""));
    assertThat(AgentFile.read(file).warnings()).isEmpty();
  }

  @Test
  void aWindowIsTheModels() throws IOException {
    Path file = folder.resolve("agent.toml");
    Files.writeString(
        file,
        """
        [agent]
        model = { provider = "ollama", name = "m", window = 4096, max_tokens = 100 }
        """);

    ChatModel model = new Models(name -> null).of(AgentFile.read(file).agent().model());

    assertThat(model.window()).isEqualTo(4096);
    assertThat(model.maxTokens()).isEqualTo(100);
    ChatModel other = OpenAiModel.of("m", ModelOptions.builder().build());
    assertThat(other.window()).isZero();
    assertThat(other.maxTokens()).isZero();
    assertThatThrownBy(() -> ModelOptions.builder().window(0).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("window");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "fallback = [\"openai:m\"]                       | agent.fallback needs a 'model' in whose"
            + " place these are asked",
        "fallback = \"openai:m\"                         | agent.fallback must be a list, not a"
            + " string",
        "fallback = [\"m\"]                              | agent.fallback[0] must be provider:name,"
            + " such as \"openai:gpt-6-luna\"",
        "fallback = [{ provider = \"x\", name = \"m\" }] | unknown model provider 'x': use"
            + " {providers}; any compatible service is openai with its base_url",
        "reply = { type = \"array\" }                    | `reply` must be a JSON Schema of type"
            + " 'object'.",
        "reply = \"nothing\"                             | `reply` must be a JSON Schema of type"
            + " 'object'.",
        "reply = { type = \"object\", required = [\"n\"] } | `reply['required']` names 'n', which"
            + " is not in `reply['properties']`.",
        "reply_file = \"missing.json\"                   | agent.reply_file names 'missing.json',"
            + " which does not exist"
      })
  void aBadFallbackOrFormIsAnErrorWithItsLine(String key, String message) throws IOException {
    String providers = String.join(", ", Provider.words());

    assertFault("[agent]\nname = \"A\"\n" + key + "\n", message.replace("{providers}", providers));
  }

  private void assertFault(String text, String message) throws IOException {
    Path file = folder.resolve("agent.toml");
    Files.writeString(file, text);

    assertThatThrownBy(() -> AgentFile.read(file))
        .isInstanceOfSatisfying(
            ConfigException.class,
            e -> {
              assertThat(e.faults()).anyMatch(fault -> fault.message().startsWith(message));
              assertThat(e.faults()).allMatch(fault -> fault.line() == 3);
            });
  }

  @Test
  void aFormMayStandInAFile() throws IOException {
    Files.writeString(folder.resolve("form.json"), "{\"type\":\"object\",\"properties\":{}}");
    Path file = folder.resolve("agent.toml");
    Files.writeString(file, "[agent]\nmodel = \"openai:m\"\nreply_file = \"form.json\"\n");

    assertThat(AgentFile.read(file).agent().reply())
        .isEqualTo(Json.text("{\"type\":\"object\",\"properties\":{}}"));
  }
}
