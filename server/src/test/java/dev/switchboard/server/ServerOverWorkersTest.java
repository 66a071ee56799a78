package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.handler.Tool;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// The same where workers run the turns.
class ServerOverWorkersTest extends ServerTest {
  @Override
  TestServer start(UnaryOperator<AgentBuilder> more, Tool... tools) {
    return TestServer.overWorkers(more, tools);
  }

  /// Calls and turns are counted where they run.
  @Override
  @Test
  void showsItsFiguresOnAPortOfTheirOwn() throws Exception {
    String id = server.zoe.conversation();
    server.model.says("Noon.");
    server.zoe.say(id, "What time is it?");

    assertThat(figures())
        .contains(
            "switchboard_conversations_due{agent=\"Desk\"} 0",
            "switchboard_breaker_state{agent=\"Desk\",tool=\"get_time\"} 0")
        .doesNotContain("switchboard_turns_total");
  }
}
