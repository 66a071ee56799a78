package dev.switchboard.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.config.ConfigException.Fault;
import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.handler.MessageRouter.Target;
import dev.switchboard.memory.Block.Permission;
import dev.switchboard.memory.MemoryStore.Share;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What an agent's file says of other agents.
class OtherAgentsTest {
  @TempDir private Path folder;

  private Path al(String more) throws IOException {
    return Files.writeString(
        folder.resolve("al.toml"), "[agent]\nname = \"Al\"\ntools = [\"block\"]\n" + more);
  }

  private void bo() throws IOException {
    Files.writeString(
        folder.resolve("bo.toml"),
        """
        [agent]
        name = "Bo"
        tools = ["block"]
        memory = { plan = { content = "Tea" }, house = { permission = "read_only" } }
        """);
  }

  private List<Fault> faults(String more) throws IOException {
    try {
      return AgentFile.check(al(more)).warnings();
    } catch (ConfigException e) {
      return e.faults();
    }
  }

  private static String share(String label, String from, String permission) {
    return "[[agent.shared_blocks]]\nlabel = \"%s\"\nfrom = \"%s\"\npermission = \"%s\"\n"
        .formatted(label, from, permission);
  }

  @Test
  void sharedBlocksAreReadOnlyByDefault() throws IOException {
    AgentFile file =
        AgentFile.read(
            al(
                "[[agent.shared_blocks]]\nlabel = \"plan\"\nfrom = \"Bo\"\n"
                    + share("house", "Cy", "append")));

    assertThat(file.agent().memory().shares())
        .containsExactly(
            new Share("Bo", "plan", "Al", Permission.READ_ONLY),
            new Share("Cy", "house", "Al", Permission.APPEND));
  }

  @Test
  void groupsAndChannelsNameAgents() throws IOException {
    AgentFile file =
        AgentFile.read(
            al(
                """
                [[groups]]
                name = "kitchen"
                agents = ["Al", "Bo"]
                [[channels]]
                name = "kitchen"
                agents = ["Cy"]
                """));

    assertThat(file.recipients())
        .isEqualTo(
            Map.of(
                new Target("group", "kitchen"), List.of("Al", "Bo"),
                new Target("channel", "kitchen"), List.of("Cy")));
  }

  @Test
  void aNameOfTwoChannelsIsAnError() {
    assertThatThrownBy(() ->
            AgentFile.read(
                al(
                    """
                    [[channels]]
                    name = "kitchen"
                    agents = ["Bo"]
                    [[channels]]
                    name = "kitchen"
                    agents = ["Cy"]
                    """)))
        .hasMessageContaining("channels[1].name is that of another channel");
  }

  @Test
  void whatTheOtherFileHasIsNotAFault() throws IOException {
    bo();

    assertThat(faults(share("plan", "Bo", "read_write") + share("house", "Bo", "read_only")))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "plan, Boo, read_only, ERROR, UNKNOWN_AGENT, did you mean 'Bo'?",
    "plan, Dispatcher, read_only, WARNING, UNKNOWN_AGENT, that no file in this folder describes",
    "plann, Bo, read_only, ERROR, UNKNOWN_BLOCK, did you mean 'plan'?",
    "wishes, Bo, read_only, WARNING, UNKNOWN_BLOCK, that the file of agent 'Bo' does not have",
    "house, Bo, append, ERROR, BAD_VALUE, 'the block''s own, which is \"read_only\"'",
    "plan, Al, read_only, ERROR, BAD_VALUE, from must name another agent"
  })
  void whatTheFilesBesideDoNotHaveIsAFault(
      String label, String from, String permission, Severity severity, FaultClass kind, String says)
      throws IOException {
    bo();

    List<Fault> faults = faults(share(label, from, permission));

    assertThat(faults).hasSize(1);
    assertThat(faults.getFirst().severity()).isEqualTo(severity);
    assertThat(faults.getFirst().kind()).isEqualTo(kind);
    assertThat(faults.getFirst().message()).contains(says);
    assertThat(faults.getFirst().line()).isGreaterThan(3);
  }

  @Test
  void anAgentOfAGroupThatIsMisspeltIsAnError() throws IOException {
    bo();

    List<Fault> faults = faults("[[channels]]\nname = \"all\"\nagents = [\"Al\", \"bo\"]\n");

    assertThat(faults).hasSize(1);
    assertThat(faults.getFirst().severity()).isEqualTo(Severity.ERROR);
    assertThat(faults.getFirst().message())
        .contains("channels[0].agents[1] names an agent 'bo'", "did you mean 'Bo'?");
  }

  @Test
  void aLabelOfTheAgentsOwnIsAnError() throws IOException {
    List<Fault> faults =
        faults("memory = { plan = { content = \"Own\" } }\n" + share("plan", "Bo", "read_only"));

    assertThat(faults)
        .anyMatch(fault -> fault.message().contains("is that of a block of the agent's own"));
  }

  @Test
  void aFileBesideThatIsBrokenIsNotAnAgent() throws IOException {
    Files.writeString(folder.resolve("broken.toml"), "[agent\nname = \"Bo\"\n");

    assertThat(faults(share("plan", "Bo", "read_only")))
        .extracting(Fault::severity)
        .containsExactly(Severity.WARNING);
  }

  @Test
  void aSharedBlockThatMayBeWrittenNeedsTheToolBlock() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("al.toml"),
            "[agent]\nname = \"Al\"\n" + share("plan", "Bo", "read_write"));

    assertThat(AgentFile.check(file).warnings())
        .anyMatch(fault -> fault.kind() == FaultClass.NO_BLOCK_TOOL);
  }
}
