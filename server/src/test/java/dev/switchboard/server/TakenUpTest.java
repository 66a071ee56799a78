package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Conversation;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.json.Json;
import dev.switchboard.model.ModelReply;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Many conversations that are due at once are continued a few at a time.
class TakenUpTest {
  private static final int DUE = 100;

  private final InProcessConversations store = new InProcessConversations();

  /// A turn whose process has died long ago.
  private void cutOff(String id) {
    ScriptedModel dying =
        ScriptedModel.answering(request -> {
          throw new LinkageError("it dies");
        });
    try (Agent agent =
            Agent.builder("Desk").model(dying).store(store).time(new ManualTime()).build();
        Conversation talk = agent.conversation(id)) {
      talk.say("Hello");
    } catch (LinkageError e) {
      // As it should.
    }
  }

  @Test
  void manyThatAreDueAreNotContinuedTogether() {
    for (int i = 0; i < DUE; i++) {
      cutOff("c" + i);
    }
    AtomicInteger asked = new AtomicInteger();
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch goOn = new CountDownLatch(1);
    ScriptedModel slow =
        ScriptedModel.answering(request -> {
          asked.incrementAndGet();
          most.accumulateAndGet(running.incrementAndGet(), Math::max);
          try {
            goOn.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          } finally {
            running.decrementAndGet();
          }
          return ModelReply.text("Hi.");
        });
    TestServer server = new TestServer(agent -> agent.store(store).model(slow));
    try {
      await().atMost(Duration.ofMinutes(1)).until(() -> running.get() == 32);
      goOn.countDown();
      await().atMost(Duration.ofMinutes(1)).until(() -> asked.get() == DUE);
      assertThat(most.get()).isLessThanOrEqualTo(32);
    } finally {
      goOn.countDown();
      server.close();
    }
  }

  @Test
  void firstTurnIncludesStartEventOfDeadProcess() {
    try (TestServer before = new TestServer(agent -> agent.store(store))) {
      before.zoe.post("/v1/agents/Desk/conversations", "{\"id\":\"c\"}");
    }
    Json begun =
        new Event.AgentEvent("conversation_started", Json.of(Map.of("conversation", "c"))).json();
    store.appendEvents("c", 0, List.of(new Event.Logged(1, "started", "c", Instant.EPOCH, begun)));

    try (TestServer after = new TestServer(agent -> agent.store(store))) {
      after.model.says("Hi.");
      assertThat(after.zoe.post("/v1/conversations/c/turns", "{\"text\":\"Hello\"}").text())
          .contains("\"after\":0");
    }
  }
}
