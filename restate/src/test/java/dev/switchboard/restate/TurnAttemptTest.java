package dev.switchboard.restate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restate.sdk.common.AbortedExecutionException;
import dev.restate.sdk.common.TerminalException;
import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.execution.ConversationStore.Writing;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.loop.Input;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.StopReason;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.state.ConversationState;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.ToolMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// What an attempt of the engine's does, by an engine in this process.
class TurnAttemptTest {
  private final List<Writing> writings = Collections.synchronizedList(new ArrayList<>());
  private final WatchedStorage storage =
      new WatchedStorage(new InProcessConversations(), writings::add);
  private final ManualTime time = new ManualTime();
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger made = new AtomicInteger();

  private Agent agent(Tool tool, ToolRule... rules) {
    AgentBuilder builder = Agent.builder("test").tools(tool).rules(rules).store(storage).time(time);
    return builder
        .model(
            ScriptedModel.answering(request -> {
              asked.incrementAndGet();
              return request.messages().getLast() instanceof Message.User
                  ? ModelReply.calls(RequestedCall.of("id", "do_it", "{}"))
                  : ModelReply.text("Done.");
            }))
        .build();
  }

  private Agent agent(ToolRule... rules) {
    return agent(Tool.dynamic("do_it").handler((arguments, context) -> done()), rules);
  }

  private String done() {
    return "done " + made.incrementAndGet();
  }

  private EngineInProcess engine(Agent agent, Input input) {
    return engine(agent, "c", input);
  }

  private EngineInProcess engine(Agent agent, String conversation, Input input) {
    return new EngineInProcess(
        new ConversationObject(agent, storage, Duration.ofMinutes(1), new RunningTurns())
            .definition(),
        conversation,
        input);
  }

  private static Input.Said said() {
    return new Input.Said("said", "Do it.");
  }

  private ConversationState state() {
    return storage.state("c").load().value();
  }

  private StopReason end() {
    return state().loop().last().reason();
  }

  @Test
  void writesTheStorageAtBothEndsOfATurnAndNotBetween() {
    assertThat(engine(agent(), said()).attempt(() -> {})).isNull();
    assertThat(writings).hasSize(2);
    assertThat(writings.getFirst().lines()).isEmpty();
    assertThat(writings.getFirst().state().next().lease().fence()).isEqualTo(1);
    assertThat(writings.getLast().lines())
        .extracting(Line::key)
        .containsExactly(
            "turn1/input",
            "turn1/round1/open/1",
            "turn1/round1/model",
            "turn1/round1/end",
            "turn1/round2/model",
            "turn1/round2/end",
            "turn1/end");
    assertThat(writings.getLast().calls()).hasSize(1);
    assertThat(writings.getLast().events()).isNotEmpty();
    assertThat(end()).isEqualTo(StopReason.END_TURN);
  }

  @Test
  void journalsOutcomesAndNoHistory() {
    Agent agent = agent();
    EngineInProcess first = engine(agent, said());
    assertThat(first.attempt(() -> {})).isNull();
    assertThat(first.journal).hasSize(2);
    JournalEntry reply = JournalEntry.read(first.journal.getFirst());
    assertThat(reply.lines())
        .extracting(Line::key)
        .containsExactly("turn1/input", "turn1/round1/open/1", "turn1/round1/model");
    JournalEntry result = JournalEntry.read(first.journal.getLast());
    assertThat(result.calls()).hasSize(1);
    assertThat(result.lines()).isEmpty();
    EngineInProcess second = engine(agent, new Input.Said("next", "Do it."));
    assertThat(second.attempt(() -> {})).isNull();
    assertThat(JournalEntry.read(second.journal.getFirst()).lines())
        .extracting(Line::key)
        .containsExactly("turn2/input", "turn2/round1/model");
  }

  @Test
  void aReplayMakesNoCallAndAsksNoModelAgain() {
    AtomicInteger entries = new AtomicInteger();
    EngineInProcess engine = engine(agent(), said());
    Throwable died =
        engine.attempt(() -> {
          if (entries.incrementAndGet() == 2) {
            engine.kill();
            throw new EngineInProcess.Killed();
          }
        });
    assertThat(died).as("no news of its own").isEqualTo(AbortedExecutionException.INSTANCE);
    assertThat(storage.lines("c", 10)).isEmpty();
    assertThat(engine.attempt(() -> {})).isNull();
    assertThat(made).hasValue(1);
    assertThat(asked).hasValue(2);
    assertThat(engine.attempt(() -> {})).as("the end was not heard of").isNull();
    assertThat(made).hasValue(1);
    assertThat(asked).hasValue(2);
    assertThat(storage.lines("c", 10)).hasSize(7);
  }

  @Test
  void oneThatWaitsForAnEngineThatIsGoneEnds() {
    EngineInProcess engine = engine(agent(), said());
    assertThat(engine.attempt(engine::kill)).isEqualTo(AbortedExecutionException.INSTANCE);
    engine.complete();
    assertThat(made).hasValue(1);
    assertThat(storage.lines("c", 10)).hasSize(7);
  }

  @Test
  void aCallThatARuleBeginsWithIsMadeOnce() {
    for (int end = 1; end <= 3; end++) {
      int last = end;
      String conversation = "c" + end;
      int before = made.get();
      AtomicInteger entries = new AtomicInteger();
      EngineInProcess engine = engine(agent(ToolRule.startWith("do_it")), conversation, said());
      engine.attempt(() -> {
        if (entries.incrementAndGet() == last) {
          engine.kill();
          throw new EngineInProcess.Killed();
        }
      });
      engine.complete();
      assertThat(made).as("dead at entry %d", end).hasValue(before + 1);
      assertThat(storage.settledCalls(conversation, 1)).hasSize(1);
    }
  }

  @Test
  void oneThatSleptWritesNothingAnyMore() throws Exception {
    CountDownLatch asleep = new CountDownLatch(1);
    CountDownLatch awake = new CountDownLatch(1);
    Tool tool =
        Tool.dynamic("do_it")
            .handler((arguments, context) -> {
              String result = done();
              if (made.get() == 1) {
                asleep.countDown();
                awake.await();
              }
              return result;
            });
    Agent agent = agent(tool);
    EngineInProcess engine = engine(agent, said());
    CompletableFuture<Throwable> zombie =
        CompletableFuture.supplyAsync(() -> engine.attempt(() -> {}), Thread::startVirtualThread);
    asleep.await();
    EngineInProcess elsewhere = engine(agent, said());
    elsewhere.journal.addAll(engine.journal);
    assertThat(elsewhere.attempt(() -> {})).isNull();
    List<Line> lines = storage.lines("c", 10);
    int before = writings.size();
    awake.countDown();
    assertThat(zombie.get()).isInstanceOf(ConversationConflictException.class);
    assertThat(storage.lines("c", 10)).isEqualTo(lines);
    assertThat(writings).hasSize(before);
    assertThat(storage.settledCalls("c", 1)).hasSize(1);
  }

  @Test
  void aCancelEndsTheTurnWhileACallRuns() throws Exception {
    AtomicReference<EngineInProcess> engine = new AtomicReference<>();
    Tool tool =
        Tool.dynamic("do_it")
            .mode(ToolMode.READ)
            .handler((arguments, context) -> {
              engine.get().cancel();
              new CountDownLatch(1).await();
              return "never";
            });
    engine.set(engine(agent(tool), said()));
    assertThat(engine.get().attempt(() -> {})).isNull();
    assertThat(end()).isEqualTo(StopReason.CANCELLED);
    assertThat(asked).hasValue(1);
  }

  @Test
  void aRequestWakesTheConversationWhenItsTimeIsOver() {
    Agent agent = agent(ToolRule.consent("do_it"));
    EngineInProcess engine = engine(agent, said());
    assertThat(engine.attempt(() -> {})).isNull();
    assertThat(made).hasValue(0);
    long due = state().due().toEpochMilli();
    assertThat(engine.sent).singleElement().asString().contains("due/" + due);
    assertThat(engine.attempt(() -> {})).as("the end was not heard of").isNull();
    assertThat(engine.sent.getFirst()).isEqualTo(engine.sent.getLast());
    time.advance(Duration.ofDays(1));
    assertThat(engine(agent, new Input.Resumed("due/" + due)).attempt(() -> {})).isNull();
    assertThat(end()).isEqualTo(StopReason.END_TURN);
    assertThat(made).hasValue(0);
    int before = writings.size();
    assertThat(engine(agent, new Input.Resumed("due/2")).attempt(() -> {})).isNull();
    assertThat(writings).as("for nothing").hasSize(before);
  }

  @Test
  void aStartThatTheAgentHasCountedStandsInTheConversationToo() {
    EngineInProcess engine = engine(agent(ToolRule.cooldown("do_it", Duration.ofHours(1))), said());
    storage
        .behindAgent()
        .set(() -> {
          storage.behindAgent().set(() -> {});
          engine.kill();
          throw new EngineInProcess.Killed();
        });
    Throwable died = engine.attempt(() -> {});
    assertThat(engine.isKilled()).as(String.valueOf(died)).isTrue();
    engine.complete();
    assertThat(made).as("it is not cooling down from a start of its own").hasValue(1);
  }

  @Test
  void whatIsTooLargeForAnEntryIsInTheStorage() {
    EngineInProcess engine = engine(agent(), new Input.Said("said", "x".repeat(600_000)));
    assertThat(engine.attempt(() -> {})).isNull();
    assertThat(engine.journal)
        .hasSize(2)
        .allSatisfy(entry -> assertThat(entry).hasSizeLessThan(10_000));
    assertThat(writings).hasSize(3);
    assertThat(engine.attempt(() -> {})).isNull();
    assertThat(asked).hasValue(2);
  }

  @Test
  void whatCanNeverBeTakenIsNotTriedAgain() {
    EngineInProcess engine = engine(agent(), said());
    assertThat(engine.attempt("{\"v\":1,\"type\":\"sung\"}"))
        .isInstanceOf(TerminalException.class)
        .hasMessage("The input is damaged.");
    assertThat(engine.attempt("no JSON")).isInstanceOf(TerminalException.class);
    assertThat(writings).isEmpty();
  }

  @Test
  void anInputOfAnotherPrincipalIsRefusedAndNothingIsWritten() {
    Agent agent = agent();
    EngineInProcess anns = engine(agent, said());
    assertThat(anns.attempt(new Request("ann", said()).text())).isNull();
    assertThat(storage.load("c").principal()).isEqualTo("ann");
    int before = writings.size();

    for (String other : List.of("ben", "local")) {
      EngineInProcess engine = engine(agent, said());
      assertThat(engine.attempt(new Request(other, new Input.Said("next", "Do it.")).text()))
          .isInstanceOf(TerminalException.class)
          .hasMessage("conversation 'c' was not found");
      assertThat(engine.journal).isEmpty();
    }
    assertThat(writings).hasSize(before);
  }

  @Test
  void whatNoPrincipalIsNamedIsRefusedAndNothingIsWritten() {
    for (String name : List.of("\"\"", "\"\\u001f\"", "\" \"", "7", "{}", "null")) {
      String text =
          "{\"v\":1,\"type\":\"said\",\"id\":\"i\",\"text\":\"Do it.\",\"principal\":" + name + "}";
      assertThat(engine(agent(), said()).attempt(text))
          .isInstanceOf(TerminalException.class)
          .hasMessageStartingWith("the name of a principal must have 1 to 200 characters");
    }
    assertThat(writings).isEmpty();
  }

  @Test
  void aRequestWithoutAPrincipalIsOfTheUserOfThisMachine() {
    assertThat(Request.read("{\"v\":1,\"type\":\"said\",\"id\":\"said\",\"text\":\"Do it.\"}"))
        .isEqualTo(new Request("local", said()));
    Request anns = new Request("ann", said());
    assertThat(Request.read(anns.text())).isEqualTo(anns);
  }
}
