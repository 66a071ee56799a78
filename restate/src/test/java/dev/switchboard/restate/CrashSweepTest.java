package dev.switchboard.restate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.restate.sdk.endpoint.definition.ServiceDefinition;
import dev.switchboard.agent.Agent;
import dev.switchboard.consent.Answer;
import dev.switchboard.contract.DurableScenario;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.loop.Input;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

/// A worker dies behind every entry of the engine's journal and every write to the storage, one run
/// after the other, and another attempt goes on: no deed is done twice, none is lost, and the
/// transcript is that of every host.
class CrashSweepTest {
  private static final int MOST = 200;

  /// A clock at which nothing goes off by itself, so that a worker dies where it writes, and never
  /// within a deed.
  private record Unhurried(Time time) implements Time {
    @Override
    public Instant now() {
      return time.now();
    }

    @Override
    public long nanos() {
      return time.nanos();
    }

    @Override
    public void await(Signal signal, long untilNanos) {
      time.await(signal, untilNanos);
    }

    @Override
    public void pause(Signal signal, Duration length) {
      time.pause(signal, length);
    }

    @Override
    public Alarm alarm(long atNanos, Runnable action) {
      return () -> {};
    }
  }

  /// What is outside of the processes, and survives them.
  private static final class World {
    private final AtomicReference<Runnable> behind = new AtomicReference<>(() -> {});
    private final WatchedStorage storage =
        new WatchedStorage(new InProcessConversations(), writing -> behind.get().run());
    private final DurableScenario scenario = new DurableScenario();
    private final Agent agent =
        scenario.agent(storage, context -> {}).time(new Unhurried(new ManualTime())).build();
    private final ServiceDefinition service =
        new ConversationObject(agent, storage, Duration.ofMinutes(1), new RunningTurns())
            .definition();

    private static final Input FIRST = new Input.Said("first", "Do it all.");
    private static final Input THIRD = new Input.Said("third", "Thank you.");

    private static Input answer(String request) {
      return new Input.Answered("second", request, Answer.approveOnce());
    }

    /// Takes the inputs of a conversation, whose worker dies at that moment.
    int talk(IntPredicate end) {
      Life life = new Life(end);
      deliver(FIRST, life);
      deliver(answer(storage.state("c").load().value().unanswered().getFirst().id()), life);
      deliver(THIRD, life);
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

  private static void check(World world, String how) {
    assertThat(DurableScenario.transcript(world.storage, "c"))
        .as(how)
        .isEqualTo(DurableScenario.expected());
    world.scenario.checkDeeds();
  }

  @Test
  void diesAtEveryMomentAndGoesOn() {
    int moments = new World().talk(moment -> false);
    assertThat(moments).isBetween(15, MOST);
    for (int end = 1; end <= moments; end++) {
      int last = end;
      World world = new World();
      int unused = world.talk(moment -> moment == last);
      check(world, "died at moment " + end + " of " + moments);
    }
  }

  /// Twice: what has ended its process more often is given up.
  @Test
  void diesAgain() {
    for (long seed = 1; seed <= 60; seed++) {
      Random random = new Random(seed);
      AtomicInteger left = new AtomicInteger(2);
      World world = new World();
      int unused =
          world.talk(
              moment -> left.get() > 0 && random.nextInt(4) == 0 && left.getAndDecrement() > 0);
      check(world, "seed " + seed);
    }
  }
}
