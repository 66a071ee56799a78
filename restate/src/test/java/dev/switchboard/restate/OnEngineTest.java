package dev.switchboard.restate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.agent.Turn;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.StopReason;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.state.ConversationState;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.ToolMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Conversations on the engine come to the same as in one process.
@Tag("servers")
@SuppressWarnings("try") // workers are there to be closed
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
      Turn unused = talk.take(Scenario.second(), null);
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

  @Test
  void goesOnWhereAWorkerDied(@TempDir Path there) throws Exception {
    CountDownLatch working = new CountDownLatch(1);
    CountDownLatch dead = new CountDownLatch(1);
    AtomicInteger lives = new AtomicInteger();
    try (Scenario scenario = Scenario.in(there);
        RestateEngine at = RestateEngine.at(engine.address());
        Agent first =
            agent(
                scenario,
                "dying",
                context -> {
                  if (lives.incrementAndGet() == 1) {
                    working.countDown();
                    dead.await();
                  }
                  return "done";
                })) {
      RestateQueue queue = new RestateQueue(at, "dying");
      RestateWorker worker = RestateWorker.builder(first).port(0).start(at);
      int port = worker.port();
      queue.submit("c", Scenario.first());
      working.await();
      worker.stop();
      long killed = System.nanoTime();
      dead.countDown();
      try (RestateWorker other = RestateWorker.builder(first).port(port).start(at)) {
        await(first, state -> state.loop().last() != null);
        System.out.printf(
            "from the worker's death to the turn's end: %d ms%n",
            Duration.ofNanos(System.nanoTime() - killed).toMillis());
        assertThat(lives).hasValue(2);
        assertThat(first.store().settledCalls("c", 1)).hasSize(1);
      }
    }
  }

  @Test
  void aCancelReachesTheTurnThatRuns(@TempDir Path there) throws Exception {
    CountDownLatch working = new CountDownLatch(1);
    try (Scenario scenario = Scenario.in(there);
        RestateEngine at = RestateEngine.at(engine.address());
        Agent agent =
            agent(
                scenario,
                "cancelled",
                context -> {
                  working.countDown();
                  new CountDownLatch(1).await();
                  return "never";
                });
        RestateWorker worker = RestateWorker.builder(agent).port(0).start(at)) {
      RestateQueue queue = new RestateQueue(at, "cancelled");
      queue.submit("c", Scenario.first());
      working.await();
      queue.cancel("c");
      ConversationState end = await(agent, state -> state.loop().last() != null);
      assertThat(end.loop().last().reason()).isEqualTo(StopReason.CANCELLED);
    }
  }

  @Test
  void aRequestThatNobodyAnswersIsOverInTime(@TempDir Path there) {
    try (Scenario scenario = Scenario.in(there);
        RestateEngine at = RestateEngine.at(engine.address());
        Agent agent =
            builder(scenario, "expiring", context -> "done")
                .rules(ToolRule.consent("do_it"))
                .consentTimeout(Duration.ofSeconds(1))
                .build();
        RestateWorker worker = RestateWorker.builder(agent).port(0).start(at)) {
      new RestateQueue(at, "expiring").submit("c", Scenario.first());
      ConversationState end = await(agent, state -> state.loop().last() != null);
      assertThat(end.waiting()).isEmpty();
      assertThat(agent.store().settledCalls("c", 1))
          .singleElement()
          .satisfies(call -> assertThat(call.result().success()).isFalse());
    }
  }

  @Test
  void aStopHandsTheTurnOverBetweenTwoEffects(@TempDir Path there) throws Exception {
    CountDownLatch working = new CountDownLatch(1);
    CountDownLatch closing = new CountDownLatch(1);
    AtomicInteger made = new AtomicInteger();
    try (Scenario scenario = Scenario.in(there);
        RestateEngine at = RestateEngine.at(engine.address());
        Agent agent =
            agent(
                scenario,
                "handed-over",
                context -> {
                  made.incrementAndGet();
                  working.countDown();
                  closing.await();
                  return "done";
                })) {
      RestateWorker worker = RestateWorker.builder(agent).port(0).start(at);
      int port = worker.port();
      new RestateQueue(at, "handed-over").submit("c", Scenario.first());
      working.await();
      Thread stopping = Thread.startVirtualThread(worker::close);
      closing.countDown();
      stopping.join();
      try (RestateWorker other = RestateWorker.builder(agent).port(port).start(at)) {
        await(agent, state -> state.loop().last() != null);
        assertThat(made).hasValue(1);
      }
    }
  }

  @Test
  void anEngineThatIsKilledGoesOnWithItsData(@TempDir Path there, @TempDir Path data)
      throws Exception {
    CountDownLatch working = new CountDownLatch(1);
    CountDownLatch killed = new CountDownLatch(1);
    try (Engine own = Engine.start(data);
        Scenario scenario = Scenario.in(there);
        RestateEngine at = RestateEngine.at(own.address());
        Agent agent =
            agent(
                scenario,
                "kept",
                context -> {
                  working.countDown();
                  killed.await();
                  return "done";
                });
        RestateWorker worker = RestateWorker.builder(agent).port(0).start(at)) {
      RestateQueue queue = new RestateQueue(at, "kept");
      queue.submit("c", Scenario.first());
      queue.submit("c", Scenario.second());
      working.await();
      own.kill();
      killed.countDown();
      own.start();
      await(agent, state -> state.turn() == 2 && state.loop().last() != null);
      assertThat(agent.store().settledCalls("c", 1)).hasSize(1);
    }
  }

  @Test
  void anInputForNobodyIsRefused() {
    try (RestateEngine at = RestateEngine.at(engine.address())) {
      RestateQueue queue = new RestateQueue(at, "unknown");
      assertThatThrownBy(() -> queue.submit("c", Scenario.first()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("knows no worker of agent 'unknown'");
    }
  }

  private interface Work {
    String of(ToolContext context) throws InterruptedException;
  }

  private static Agent agent(Scenario scenario, String name, Work work) {
    return builder(scenario, name, work).build();
  }

  private static AgentBuilder builder(Scenario scenario, String name, Work work) {
    return Agent.builder(name)
        .model(
            ScriptedModel.answering(request ->
                request.messages().getLast() instanceof Message.User
                    ? ModelReply.calls(RequestedCall.of("id", "do_it", "{}"))
                    : ModelReply.text("Done.")))
        .tools(
            Tool.dynamic("do_it")
                .mode(ToolMode.READ)
                .handler((arguments, context) -> work.of(context)))
        .store(scenario.store);
  }

  private static ConversationState await(Agent agent, Predicate<ConversationState> come) {
    return Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> agent.store().state("c").load().value(), come);
  }
}
