package dev.switchboard.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is said of keys that stand in the wrong file or table, or that other systems have.
class KeyHintsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "[server]/port = 1 | 'server'; it belongs to the file of 'switchboard serve --config'",
        "[mcpServers.a]/command = 'x' | 'mcpServers'; 'switchboard tool import mcp FILE' makes"
            + " [[agent.mcp]] of it",
        "[agent]/mcpServers = {} | 'mcpServers' in agent; 'switchboard tool import mcp FILE' makes"
            + " [[agent.mcp]] of it",
        "[agent]/max_iterations = 3 | 'max_iterations' in agent; it belongs to [agent.limits] as"
            + " 'iterations'",
        "[agent]/model_timeout = '3s' | 'model_timeout' in agent; it belongs to [agent.limits]",
        "[agent.limits]/max_iterations = 3 | in agent.limits; did you mean 'iterations'?",
        "[agent.memory.a]/limit = 3 | 'limit' in agent.memory.a; did you mean 'char_limit'?",
      })
  void theRightPlaceIsNamed(String toml, String sentence) {
    assertThat(new AgentFolder(folder).faults(toml.replace('/', '\n') + "\n"))
        .anyMatch(fault -> fault.endsWith("unknown key " + sentence) || fault.endsWith(sentence));
  }
}
