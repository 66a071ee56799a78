package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.Switchboard;
import dev.switchboard.agent.Agent;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.agent.Turn;
import dev.switchboard.config.AgentFile;
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
class NeighboursTest {
  @TempDir private Path folder;
  private final ScriptedModel al = new ScriptedModel();
  private final ScriptedModel bo = new ScriptedModel();
  private final List<Agent> agents = new ArrayList<>();
  private Neighbours neighbours;

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
    neighbours = new Neighbours(List.of(files));
    List<ScriptedModel> models = List.of(al, bo);
    for (int i = 0; i < files.length; i++) {
      agents.add(
          neighbours
              .join(Switchboard.agent(files[i]), files[i].agent().name(), Time.SYSTEM)
              .model(models.get(i))
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
  void anAgentAloneIsOfferedTheUser() throws Exception {
    start(file("Al", "[[groups]]\nname = \"all\"\nagents = [\"Bo\"]\n"));

    assertThat(offered(0)).contains("[\"user\"]").doesNotContain("agent", "group", "channel");
  }
}
