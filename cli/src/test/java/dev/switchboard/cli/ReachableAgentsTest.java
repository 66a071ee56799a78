package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.Switchboard;
import dev.switchboard.agent.Agent;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.agent.Turn;
import dev.switchboard.config.AgentFile;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Block.Permission;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.time.Time;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The agents of one process reach each other.
class ReachableAgentsTest {
  @TempDir private Path folder;
  private final ScriptedModel al = new ScriptedModel();
  private final ScriptedModel bo = new ScriptedModel();
  private final List<Agent> agents = new ArrayList<>();
  private final InProcessMemory memory = new InProcessMemory();
  private ReachableAgents neighbours;

  @AfterEach
  void close() {
    neighbours.close();
    agents.forEach(Agent::close);
  }

  private AgentFile file(String name, String more) throws Exception {
    Path file = folder.resolve(name + ".toml");
    Files.writeString(
        file, "[agent]\nname = \"%s\"\ntools = [\"send_message\"]\n%s".formatted(name, more));
    return AgentFile.read(file);
  }

  private void start(AgentFile... files) {
    neighbours = new ReachableAgents(List.of(files));
    List<ScriptedModel> models = List.of(al, bo);
    for (int i = 0; i < files.length; i++) {
      agents.add(
          neighbours
              .join(Switchboard.agent(files[i]), files[i], null, Time.SYSTEM)
              .model(models.get(i))
              .memory(memory)
              .build());
    }
    neighbours.open(agents);
  }

  private static String message(String type, String id) {
    return "{\"target\":{\"type\":\"%s\",\"id\":\"%s\"},\"content\":\"Lunch?\"}"
        .formatted(type, id);
  }

  private String offered(int agent) {
    return agents.get(agent).executor().tools().find("send_message").definition().json().text();
  }

  @Test
  void aMessageReachesTheOtherAgentForThePrincipalOfTheSender() throws Exception {
    al.calls("send_message", message("agent", "Bo"));
    bo.says("Fine.");
    start(file("Al", ""), file("Bo", ""));

    Turn turn =
        agents
            .getFirst()
            .conversation("c", ConversationOptions.NONE.withPrincipal("ann"))
            .say("Ask Bo for lunch");
    neighbours.close();

    assertThat(turn).isEqualTo(new Turn.Reply(""));
    assertThat(bo.lastRequest().messages().toString()).contains("Lunch?", "agent 'Al'");
    assertThat(neighbours.inbox("Bo").conversation("Al", "ann").history()).hasSize(2);
    assertThat(neighbours.inbox("Bo").conversation("Al", "local").history()).isEmpty();
  }

  @Test
  void aMessageReachesTheOtherAgentsOfAGroup() throws Exception {
    al.calls("send_message", message("group", "all"));
    bo.says("Fine.");
    start(
        file("Al", "[[groups]]\nname = \"all\"\nagents = [\"Al\", \"Bo\", \"Cy\"]\n"),
        file("Bo", ""));

    agents.getFirst().conversation("c").say("Ask all for lunch");
    neighbours.close();

    assertThat(bo.lastRequest().messages().toString()).contains("Lunch?");
  }

  @Test
  void onlyWhatExistsIsOffered() throws Exception {
    start(
        file(
            "Al",
            """
            [[groups]]
            name = "all"
            agents = ["Al", "Bo"]
            [[groups]]
            name = "elsewhere"
            agents = ["Cy"]
            """),
        file("Bo", ""));

    assertThat(offered(0)).contains("[\"user\",\"agent\",\"group\"]", "agent 'Bo', group 'all'");
    assertThat(offered(0)).doesNotContain("channel", "elsewhere", "agent 'Al'");
    assertThat(offered(1)).contains("agent 'Al', group 'all'");
  }

  @Test
  void aChannelReachesTheAgentsThatReadIt() throws Exception {
    al.calls("send_message", message("channel", "lunch"));
    bo.says("Fine.");
    start(file("Al", "[[channels]]\nname = \"lunch\"\nagents = [\"Bo\"]\n"), file("Bo", ""));

    agents.getFirst().conversation("c").say("Ask for lunch");
    neighbours.close();

    assertThat(offered(0)).contains("channel 'lunch'").doesNotContain("group");
    assertThat(bo.lastRequest().messages().toString()).contains("Lunch?");
  }

  @Test
  void anAgentThatNothingReachesIsOfferedNoChannelOfItsOwn() throws Exception {
    start(file("Al", "[[channels]]\nname = \"lunch\"\nagents = [\"Bo\"]\n"), file("Bo", ""));

    assertThat(offered(1)).doesNotContain("channel");
  }

  @Test
  void sharesPrincipalsCopyWithPermissionOfTheFile() throws Exception {
    AgentFile bosFile =
        file("Bo", "memory = { plan = { content = \"Tea\" }, house = { content = \"Red\" } }\n");
    AgentFile alsFile =
        file(
            "Al",
            """
            [[agent.shared_blocks]]
            label = "plan"
            from = "Bo"
            permission = "append"
            [[agent.shared_blocks]]
            label = "house"
            from = "Bo"
            """);
    start(alsFile, bosFile);
    Agent alice = agents.getFirst();
    agents.forEach(agent -> assertThat(agent.admitPrincipals()).isEmpty());

    Block unused = alice.memory("ann").append("plan", " and cake");

    assertThat(alice.memory("ann").block("plan").block().value()).isEqualTo("Tea and cake");
    assertThat(agents.get(1).memory("ann").block("plan").block().value()).isEqualTo("Tea and cake");
    assertThat(agents.get(1).memory("zoe").block("plan").block().value()).isEqualTo("Tea");
    assertThat(alice.memory().block("plan").block().value()).isEqualTo("Tea");
    assertThatThrownBy(() -> alice.memory("ann").append("house", "!"))
        .hasMessageContaining("has the permission 'read_only'");
    assertThatThrownBy(() -> alice.memory("ann").replace("plan", "Tea", "Ale", false))
        .hasMessageContaining("has the permission 'append'");
    assertThat(ReachableAgents.missingBlocks(alsFile, alice)).isEmpty();
  }

  @Test
  void blockOfSharedMemoryIsSharedByAllPrincipals() throws Exception {
    start(
        file("Al", "[[agent.shared_blocks]]\nlabel = \"plan\"\nfrom = \"Bo\"\n"),
        file("Bo", "memory_scope = \"agent\"\nmemory = { plan = { content = \"Tea\" } }\n"));
    agents.forEach(agent -> agent.admitPrincipals());

    Block unused = agents.get(1).memory("zoe").append("plan", " and cake");

    assertThat(agents.getFirst().memory("ann").block("plan").block().value())
        .isEqualTo("Tea and cake");
  }

  @Test
  void agentWithSharedMemoryGetsPrincipalsCopy() throws Exception {
    start(
        file(
            "Al",
            """
            memory_scope = "agent"
            [[agent.shared_blocks]]
            label = "plan"
            from = "Bo"
            permission = "append"
            """),
        file("Bo", "memory = { plan = { content = \"Tea\" } }\n"));
    agents.forEach(agent -> agent.admitPrincipals());

    Block unused = agents.getFirst().memory("ann").append("plan", " and cake");

    assertThat(agents.getFirst().memory("zoe").block("plan").block().value()).isEqualTo("Tea");
    assertThat(agents.get(1).memory("ann").block("plan").block().value()).isEqualTo("Tea and cake");
  }

  @Test
  void aSharedBlockAllowsNoMoreThanItsOwnAgentMayDo() throws Exception {
    start(
        file(
            "Al",
            "[[agent.shared_blocks]]\nlabel = \"plan\"\nfrom = \"Bo\"\npermission = \"admin\"\n"),
        file("Bo", "memory = { plan = { content = \"Tea\", permission = \"append\" } }\n"));

    assertThat(agents.getFirst().memory().block("plan").permission()).isEqualTo(Permission.APPEND);
  }

  @Test
  void aGroupThatTwoFilesDeclareDifferentlyIsTold() throws Exception {
    AgentFile als = file("Al", "[[groups]]\nname = \"all\"\nagents = [\"Bo\"]\n");
    AgentFile bos = file("Bo", "[[groups]]\nname = \"all\"\nagents = [\"Al\", \"Cy\"]\n");
    start(als, bos);

    assertThat(neighbours.notes(List.of(als, bos), agents))
        .containsExactly(
            "The group 'all' has other agents in the file of agent 'Bo' than in an earlier file,"
                + " which counts.");
  }

  @Test
  void aSharedBlockThatIsNotThereIsTold() throws Exception {
    AgentFile file = file("Al", "[[agent.shared_blocks]]\nlabel = \"plan\"\nfrom = \"Cy\"\n");
    start(file);

    assertThat(ReachableAgents.missingBlocks(file, agents.getFirst()))
        .containsExactly(
            "Agent 'Al' shares block 'plan' of agent 'Cy', which is not in its memory so far: both"
                + " need the same [storage], or one server without storage.");
  }

  @Test
  void anAgentAloneIsOfferedTheUser() throws Exception {
    start(file("Al", "[[groups]]\nname = \"all\"\nagents = [\"Bo\"]\n"));

    assertThat(offered(0)).contains("[\"user\"]").doesNotContain("agent", "group", "channel");
  }
}
