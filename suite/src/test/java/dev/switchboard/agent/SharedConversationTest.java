package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ToolExecutor.CallStep;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.StopReason;
import dev.switchboard.store.Storage;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolCall;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Several threads, agents and hosts with one conversation: nothing is lost, nothing doubled.
class SharedConversationTest {
  private final AtomicInteger ran = new AtomicInteger();

  @TempDir Path folder;

  private AgentBuilder agent() {
    return Agent.builder("shared")
        .model(ScriptedModel.answering(SharedConversationTest::reply))
        .tools(tool("get_it"), tool("local_run"));
  }

  private Tool tool(String name) {
    return Tool.dynamic(name)
        .handler(arguments -> {
          ran.incrementAndGet();
          return name + " done";
        });
  }

  private static ModelReply reply(ModelRequest request) {
    return switch (request.messages().getLast()) {
      case Message.User(String text, var files) when text.startsWith("Run") ->
          ModelReply.calls(RequestedCall.of("", "local_run", "{}"));
      case Message.User(String text, var files) ->
          ModelReply.calls(RequestedCall.of("", "get_it", "{}"));
      case Message other -> ModelReply.text("Done.");
    };
  }

  private static <T> List<T> sideBySide(int threads, Callable<T> work) throws Exception {
    try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<T>> results = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        results.add(pool.submit(work));
      }
      List<T> all = new ArrayList<>();
      for (Future<T> result : results) {
        all.add(result.get(5, TimeUnit.MINUTES));
      }
      return all;
    }
  }

  @Test
  void takesManyThreadsOneAfterTheOther() throws Exception {
    Conversation talk = agent().build().conversation("c");

    assertThat(sideBySide(40, () -> talk.say("Go"))).containsOnly(new Turn.Reply("Done."));
    assertThat(ran).hasValue(40);
    assertThat(talk.state().turn()).isEqualTo(40);
  }

  @Test
  void endsEveryTurnThatIsCancelledAtSomeMoment() throws Exception {
    Conversation talk = agent().build().conversation("c");
    try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
      Random random = new Random(7);
      for (int i = 0; i < 60; i++) {
        Future<Turn> turn = pool.submit(() -> talk.say("Go", event -> {}));
        int spins = random.nextInt(20_000);
        for (int spin = 0; spin < spins && !turn.isDone(); spin++) {
          Thread.onSpinWait();
        }
        talk.cancel();
        Turn came = turn.get(5, TimeUnit.MINUTES);
        assertThat(came)
            .isIn(new Turn.Reply("Done."), new Turn.Stopped(StopReason.CANCELLED, "Cancelled."));
        FuzzedAgent.checkHistory("cancelled", talk.history(), false);
      }
    }
    assertThat(talk.say("Go")).isEqualTo(new Turn.Reply("Done."));
  }

  @Test
  void tellsOneOfTwoThatTalkAtOnceAndLosesNothing() throws Exception {
    try (ConversationStore store = Storage.sqlite(folder.resolve("s.db"), "shared")) {
      AtomicInteger conflicts = new AtomicInteger();
      AtomicInteger said = new AtomicInteger();
      List<Integer> all =
          sideBySide(
              3,
              () -> {
                try (Agent agent = agent().store(store).build()) {
                  return talk(agent, said, conflicts);
                }
              });

      Conversation whole = agent().store(store).build().conversation("c");
      Turn unused = whole.resume();
      FuzzedAgent.checkHistory("shared", whole.history(), false);
      assertThat(all).containsOnly(3);
      assertThat(whole.history())
          .filteredOn(Message.User.class::isInstance)
          .doesNotHaveDuplicates();
      assertThat(whole.state().turn()).isGreaterThanOrEqualTo(9);
    }
  }

  private static int talk(Agent agent, AtomicInteger said, AtomicInteger conflicts) {
    int turns = 0;
    while (turns < 3) {
      try {
        assertThat(agent.conversation("c").say("Go " + said.incrementAndGet()))
            .isEqualTo(new Turn.Reply("Done."));
        turns++;
      } catch (ConversationConflictException e) {
        conflicts.incrementAndGet();
        // Three that try again at once would meet again and again.
        Duration moment = Duration.ofMillis(ThreadLocalRandom.current().nextInt(1, 50));
        Time.SYSTEM.pause(new Time.Signal(), moment);
      }
    }
    return turns;
  }

  @Test
  void goesOnWhereAnotherAgentHasAnswered() {
    try (ConversationStore store = Storage.sqlite(folder.resolve("s.db"), "shared")) {
      Conversation here = agent().store(store).build().conversation("c");
      Turn.Pending pending = (Turn.Pending) here.say("Run it");
      Agent there = agent().store(store).build();
      assertThat(
              there.conversation("c").answer(pending.requests().getFirst(), Answer.approveOnce()))
          .isEqualTo(new Turn.Reply("Done."));

      Agent again = agent().store(store).build();
      assertThat(again.conversation("c").resume()).isNull();
      assertThat(again.conversation("c").say("Go")).isEqualTo(new Turn.Reply("Done."));
      assertThat(ran).hasValue(2);
      assertThat(here.waiting()).isEmpty();
    }
  }

  @Test
  void talksInAConversationThatAnotherHostCallsInto() {
    try (ConversationStore store = Storage.sqlite(folder.resolve("s.db"), "shared")) {
      Agent agent = agent().store(store).build();
      ToolSession session = ToolSession.builder("c").store(store).build();
      session.nextTurn();
      List<CallStep> steps =
          agent
              .executor()
              .submitAll(
                  List.of(ToolCall.of("e1", "get_it", "{}"), ToolCall.of("e2", "local_run", "{}")),
                  session);
      assertThat(steps.getLast()).isInstanceOf(CallStep.Pending.class);

      Conversation talk = agent.conversation("c");
      assertThat(talk.say("Go")).isEqualTo(new Turn.Reply("Done."));
      assertThat(talk.waiting()).hasSize(1);
      talk.answer("e2", Answer.approveOnce());
      session.refresh();
      session.nextTurn();
      assertThat(agent.executor().execute(ToolCall.of("e3", "get_it", "{}"), session).success())
          .isTrue();
      assertThat(talk.say("Go")).isEqualTo(new Turn.Reply("Done."));
      assertThat(talk.say("Run it")).isInstanceOf(Turn.Pending.class);
      assertThat(ran).hasValue(5);
      FuzzedAgent.checkHistory("mixed", talk.history().subList(0, 8), false);
    }
  }
}
