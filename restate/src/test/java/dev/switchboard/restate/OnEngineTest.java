package dev.switchboard.restate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.agent.Turn;
import dev.switchboard.state.ConversationState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Conversations on the engine come to the same as in one process.
@Tag("servers")
class OnEngineTest {
  @TempDir static Path folder;
  private static Engine engine;

  @BeforeAll
  static void start() {
    engine = Engine.start(folder);
  }

  @AfterAll
  static void stop() {
    engine.close();
  }

  private static ConversationState await(
      Scenario scenario, String conversation, Predicate<ConversationState> come) {
    return Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> scenario.store.state(conversation).load().value(), come);
  }

  static List<String> inProcess(Path folder) {
    try (Scenario scenario = Scenario.in(folder);
        Agent agent = scenario.agent();
        Conversation talk =
            agent.conversation("c", ConversationOptions.NONE.withLog(event -> {}))) {
      Turn turn = talk.take(Scenario.first(), null);
      while (turn instanceof Turn.Pending pending) {
        turn = talk.take(Scenario.answer(pending.requests().getFirst().id()), null);
      }
      turn = talk.take(Scenario.second(), null);
      assertThat(scenario.deeds("c").values()).hasSize(Scenario.DEEDS).containsOnly(1);
      assertThat(scenario.memory(agent)).isEqualTo(" done");
      return scenario.transcript("c");
    }
  }

  @Test
  void comesToTheSame(@TempDir Path here, @TempDir Path there) throws Exception {
    List<String> expected = inProcess(here);
    try (Scenario scenario = Scenario.in(there);
        Agent agent = scenario.agent();
        RestateEngine at = RestateEngine.at(engine.address());
        RestateWorker worker = RestateWorker.builder(agent).port(0).start(at)) {
      RestateQueue queue = new RestateQueue(at, Scenario.AGENT);
      assertThat(queue.submit("c", Scenario.first())).isTrue();
      assertThat(queue.submit("c", Scenario.first())).isFalse();
      ConversationState waits = await(scenario, "c", state -> state.loop().waiting());
      queue.submit("c", Scenario.answer(waits.unanswered().getFirst().id()));
      queue.submit("c", Scenario.second());
      await(scenario, "c", state -> state.turn() == 2 && state.loop().last() != null);
      assertThat(scenario.transcript("c")).isEqualTo(expected);
      assertThat(scenario.deeds("c").values()).hasSize(Scenario.DEEDS).containsOnly(1);
      assertThat(scenario.memory(agent)).isEqualTo(" done");
    }
  }
}
