package dev.switchboard.restate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.loop.Input;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.StopReason;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.state.ConversationState;
import dev.switchboard.store.Storage;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.ToolMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What conversations on the engine do where it, or a worker, is in trouble or asked to stop.
@Tag("servers")
@SuppressWarnings("try") // workers are there to be closed
class OnEngineTest {
  private static final Input FIRST = new Input.Said("first", "Do it.");
  private static final Input SECOND = new Input.Said("second", "Thank you.");

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

  @Test
  void goesOnWhereAWorkerDied(@TempDir Path there) throws Exception {
    CountDownLatch working = new CountDownLatch(1);
    CountDownLatch dead = new CountDownLatch(1);
    AtomicInteger lives = new AtomicInteger();
    try (Storage storage = Storage.open("sqlite:kept.db", there);
        RestateEngine at = RestateEngine.at(engine.address());
        Agent first =
            agent(
                storage,
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
      queue.submit("c", FIRST);
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
    try (Storage storage = Storage.open("sqlite:kept.db", there);
        RestateEngine at = RestateEngine.at(engine.address());
        Agent agent =
            agent(
                storage,
                "cancelled",
                context -> {
                  working.countDown();
                  new CountDownLatch(1).await();
                  return "never";
                });
        RestateWorker worker = RestateWorker.builder(agent).port(0).start(at)) {
      RestateQueue queue = new RestateQueue(at, "cancelled");
      queue.submit("c", FIRST);
      working.await();
      queue.cancel("c");
      ConversationState end = await(agent, state -> state.loop().last() != null);
      assertThat(end.loop().last().reason()).isEqualTo(StopReason.CANCELLED);
    }
  }

  @Test
  void aRequestThatNoOneAnswersIsOverInTime(@TempDir Path there) {
    try (Storage storage = Storage.open("sqlite:kept.db", there);
        RestateEngine at = RestateEngine.at(engine.address());
        Agent agent =
            builder(storage, "expiring", context -> "done")
                .rules(ToolRule.consent("do_it"))
                .consentTimeout(Duration.ofSeconds(1))
                .build();
        RestateWorker worker = RestateWorker.builder(agent).port(0).start(at)) {
      new RestateQueue(at, "expiring").submit("c", FIRST);
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
    try (Storage storage = Storage.open("sqlite:kept.db", there);
        RestateEngine at = RestateEngine.at(engine.address());
        Agent agent =
            agent(
                storage,
                "handed-over",
                context -> {
                  made.incrementAndGet();
                  working.countDown();
                  closing.await();
                  return "done";
                })) {
      RestateWorker worker = RestateWorker.builder(agent).port(0).start(at);
      int port = worker.port();
      new RestateQueue(at, "handed-over").submit("c", FIRST);
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
        Storage storage = Storage.open("sqlite:kept.db", there);
        RestateEngine at = RestateEngine.at(own.address());
        Agent agent =
            agent(
                storage,
                "kept",
                context -> {
                  working.countDown();
                  killed.await();
                  return "done";
                });
        RestateWorker worker = RestateWorker.builder(agent).port(0).start(at)) {
      RestateQueue queue = new RestateQueue(at, "kept");
      queue.submit("c", FIRST);
      queue.submit("c", SECOND);
      working.await();
      own.kill();
      killed.countDown();
      own.start();
      await(agent, state -> state.turn() == 2 && state.loop().last() != null);
      assertThat(agent.store().settledCalls("c", 1)).hasSize(1);
    }
  }

  @Test
  void anInputForNoOneIsRefused() {
    try (RestateEngine at = RestateEngine.at(engine.address())) {
      RestateQueue queue = new RestateQueue(at, "unknown");
      assertThatThrownBy(() -> queue.submit("c", FIRST))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("knows no worker of agent 'unknown'");
    }
  }

  private interface Work {
    String of(ToolContext context) throws InterruptedException;
  }

  private static Agent agent(Storage storage, String name, Work work) {
    return builder(storage, name, work).build();
  }

  private static AgentBuilder builder(Storage storage, String name, Work work) {
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
        .store(storage.conversations(name));
  }

  private static ConversationState await(Agent agent, Predicate<ConversationState> come) {
    return Awaitility.await()
        .pollInterval(Duration.ofMillis(20))
        .until(() -> agent.store().state("c").load().value(), come);
  }
}
