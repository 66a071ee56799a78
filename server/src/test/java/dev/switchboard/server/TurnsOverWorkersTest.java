package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.Tool;
import org.junit.jupiter.api.Test;

/// The same where workers run the turns.
class TurnsOverWorkersTest extends TurnIndexTest {
  @Override
  TestServer start(Tool... tools) {
    return TestServer.overWorkers(agent -> agent, tools);
  }

  /// It waits for a worker, or one has begun it.
  @Override
  @Test
  void acknowledgesATurnOnceItIsStored() {
    for (int i = 0; i < 10; i++) {
      server.model.says("Hello.");
      String id = conversation(server.zoe);
      assertThat(say(server.zoe, id, "k", false).status()).isEqualTo(202);
      var store = server.agent.store();
      String waiting = store.queue().inputs(id).toString();
      assertThat(waiting + store.lines(id, 10)).contains("Hi");
    }
  }

  /// The stream waits for the worker that tries again.
  @Override
  @Test
  void endsStreamOfBrokenTurnSoThatClientsResume() {
    server.model.answers(request -> {
      throw new AssertionError("a fault of the model's class");
    });
    server.model.says("Better.");
    String id = conversation(server.zoe);

    assertThat(say(server.zoe, id, "k1", true).text()).contains("Better.").endsWith("[DONE]\n\n");
    assertThat(server.model.requests()).hasSize(2);
  }
}
