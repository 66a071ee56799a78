package dev.switchboard.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a check of a file says of the keys of its models.
class KeyCheckTest {
  @TempDir Path folder;

  private List<String> warnings(String agent, Map<String, String> environment) {
    AgentFolder files = new AgentFolder(folder, environment);
    Path file = files.write("agent.toml", "[agent]\nname = \"x\"\n" + agent);
    return new AgentReader(file, Environment.of(environment::get), JavaTools.UNKNOWN)
        .check().warnings().stream()
            .map(fault -> fault.line() + ": " + fault.severity() + ": " + fault.message())
            .toList();
  }

  @Test
  void namesTheVariableOfEachModelThatIsNotSet() {
    String agent =
        """
        model = "openai:gpt-6-luna"
        fallback = ["anthropic:claude-haiku-5-5", { provider = "groq", name = "x", api_key_env = "MINE" }]
        embeddings = "gemini:gemini-embedding-001"
        """;
    assertThat(warnings(agent, Map.of("GEMINI_API_KEY", " ")))
        .containsExactly(
            "3: WARNING: agent.model needs the environment variable 'OPENAI_API_KEY', which is not"
                + " set",
            "4: WARNING: agent.fallback[0] needs the environment variable 'ANTHROPIC_API_KEY',"
                + " which is not set",
            "4: WARNING: agent.fallback[1].api_key_env names the environment variable 'MINE',"
                + " which is not set",
            "5: WARNING: agent.embeddings needs the environment variable 'GEMINI_API_KEY', which is"
                + " not set");
    assertThat(
            warnings(
                agent,
                Map.of(
                    "OPENAI_API_KEY", "k",
                    "ANTHROPIC_API_KEY", "k",
                    "MINE", "k",
                    "GEMINI_API_KEY", "k")))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "model = \"scripted:hello\"",
        "model = \"ollama:qwen3\"",
        "model = { provider = \"openai\", name = \"x\", base_url = \"http://127.0.0.1:1/v1\" }",
      })
  void aModelWithoutAKeyNeedsNone(String model) {
    assertThat(warnings(model + "\n", Map.of())).isEmpty();
  }
}
