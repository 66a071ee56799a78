package dev.switchboard.restate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restate.sdk.endpoint.definition.ServiceDefinition;
import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.agent.Turn;
import dev.switchboard.loop.Input;
import dev.switchboard.store.InProcessConversations;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

/// A worker dies behind every entry of the engine's journal and every write to the storage, one run
/// after the other, and another attempt goes on: no deed is done twice, none is lost, and the
/// transcript is the one of a conversation in one process.
class CrashSweepTest {
  private static final int MOST = 200;

  /// What is outside of the processes, and survives them.
  private static final class World {
    private final AtomicReference<Runnable> behind = new AtomicReference<>(() -> {});
    private final WatchedStorage storage =
        new WatchedStorage(new InProcessConversations(), writing -> behind.get().run());
    private final Scenario scenario = Scenario.on(storage);
    private final Agent agent = scenario.agent();
    private final ServiceDefinition service =
        new ConversationObject(agent, storage, Duration.ofMinutes(1), new Turns()).definition();

    void talkInProcess() {
      try (Conversation talk =
          agent.conversation("c", ConversationOptions.NONE.withLog(event -> {}))) {
        Turn turn = talk.take(Scenario.first(), null);
        while (turn instanceof Turn.Pending pending) {
          turn = talk.take(Scenario.answer(pending.requests().getFirst().id()), null);
        }
        Turn unused = talk.take(Scenario.second(), null);
      }
    }

    /// Takes the inputs of a conversation, whose worker dies at that moment.
    int talk(IntPredicate end) {
      Life life = new Life(end);
      deliver(Scenario.first(), life);
      String request = storage.state("c").load().value().unanswered().getFirst().id();
      deliver(Scenario.answer(request), life);
      deliver(Scenario.second(), life);
      return life.moments;
    }

    private void deliver(Input input, Life life) {
      EngineInProcess engine = new EngineInProcess(service, "c", input);
      behind.set(() -> life.pass(engine::kill));
      while (engine.attempt(() -> life.pass(engine::kill)) != null || engine.isKilled()) {
        assertThat(engine.isKilled()).isTrue();
      }
      behind.set(() -> {});
    }
  }

  private static final class Life {
    private final IntPredicate end;
    private int moments; // guarded by this

    Life(IntPredicate end) {
      this.end = end;
    }

    synchronized void pass(Runnable killing) {
      moments++;
      if (end.test(moments)) {
        killing.run();
        throw new EngineInProcess.Killed();
      }
    }
  }

  private static List<String> expected() {
    World whole = new World();
    whole.talkInProcess();
    return whole.scenario.transcript("c");
  }

  private static void check(World world, List<String> expected, String how) {
    assertThat(world.scenario.transcript("c")).as(how).isEqualTo(expected);
    assertThat(world.scenario.deeds("c").values())
        .as("deeds, %s", how)
        .hasSize(Scenario.DEEDS)
        .containsOnly(1);
    assertThat(world.scenario.memory(world.agent)).as(how).isEqualTo(" done");
  }

  @Test
  void diesAtEveryMomentAndGoesOn() {
    List<String> expected = expected();
    int moments = new World().talk(moment -> false);
    assertThat(moments).isBetween(15, MOST);
    for (int end = 1; end <= moments; end++) {
      int last = end;
      World world = new World();
      int unused = world.talk(moment -> moment == last);
      check(world, expected, "died at moment " + end + " of " + moments);
    }
  }

  @Test
  void diesAgainAndAgain() {
    List<String> expected = expected();
    for (long seed = 1; seed <= 30; seed++) {
      Random random = new Random(seed);
      World world = new World();
      int unused = world.talk(moment -> random.nextInt(4) == 0);
      check(world, expected, "seed " + seed);
    }
  }
}
