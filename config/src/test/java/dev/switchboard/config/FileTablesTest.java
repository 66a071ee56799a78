package dev.switchboard.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.Switchboard;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTablesTest {
  private static final String NOTICE =
      "agent.toml:1:1: warning: phone is not read: add the module"
          + " dev.switchboard:switchboard-phone";

  @TempDir private Path folder;

  @Test
  void namesTheArtifactOfATableWhoseModuleIsAbsent() {
    AgentFolder agent = new AgentFolder(folder);

    assertThat(agent.faults("[phone]\nnumber = \"+15550001234\"\n")).containsExactly(NOTICE);
    assertThat(agent.faults("phone = 7\n")).containsExactly(NOTICE);
    assertThat(agent.read("[phone]\n").table(Object.class)).isNull();
  }

  @Test
  void makesNoAgentWithoutTheServersOfItsFile() {
    AgentFile agent =
        new AgentFolder(folder)
            .read(
                """
                [agent]
                name = "Shop"
                tools = ["files__read"]
                [[agent.mcp]]
                name = "files"
                command = "x"
                """);

    assertThat(agent.warnings())
        .extracting(ConfigException.Fault::message)
        .containsExactly("agent.mcp is not read: add the module dev.switchboard:switchboard-mcp");
    assertThatThrownBy(() -> Switchboard.executor(agent))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the file names MCP servers: add the module dev.switchboard:switchboard-mcp");
  }
}
