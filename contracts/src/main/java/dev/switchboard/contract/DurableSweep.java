package dev.switchboard.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.consent.Answer;
import dev.switchboard.contract.DurableHostContract.Machine;
import dev.switchboard.contract.DurableHostContract.Machines;
import dev.switchboard.loop.Input;
import dev.switchboard.state.ConversationState;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/// A machine dies behind every single write, one run after the other, and another continues: no
/// effect happens twice, none is lost, and the transcript is the same.
public interface DurableSweep {
  int MOST_WRITES = 100;
  int AT_ONCE = 8;

  /// Machines that may die at a write.
  interface Mortal extends Machines {
    /// One that dies behind its n-th write, -1 for never.
    Machine start(DurableScenario.Before before, int writes);

    @Override
    default Machine start(DurableScenario.Before before) {
      return start(before, -1);
    }
  }

  /// Those of one run; none runs yet.
  Mortal machines(DurableScenario scenario, int run);

  @Test
  default void diesBehindEveryWriteAndAnotherGoesOn() throws Exception {
    Set<Integer> deaths = new ConcurrentSkipListSet<>();
    List<Future<?>> runs = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      for (int writes = 1; writes <= MOST_WRITES; writes++) {
        int last = writes;
        runs.add(
            threads.submit(() -> {
              if (run(last)) {
                deaths.add(last);
              }
            }));
      }
      for (Future<?> run : runs) {
        run.get();
      }
    }
    // One that outlives the scenario has seen all of its writes.
    assertThat(deaths).hasSizeBetween(20, MOST_WRITES - 1);
    assertThat(deaths).containsAll(new TreeSet<>(deaths).headSet(deaths.size() / 2));
  }

  /// Whether the first machine died.
  private boolean run(int writes) {
    DurableScenario scenario = new DurableScenario();
    try (Mortal machines = machines(scenario, writes);
        Machine first = machines.start(context -> {}, writes)) {
      Players players = new Players(machines, first);
      players.play();
      scenario.checkDeeds();
      assertThat(DurableScenario.transcript(machines.store(), "c"))
          .as("dead behind write %d", writes)
          .isEqualTo(DurableScenario.expected());
      return !first.isAlive();
    }
  }

  /// The user, who sees to it that a machine is there.
  final class Players {
    private final Mortal machines;
    private Machine machine;

    Players(Mortal machines, Machine first) {
      this.machines = machines;
      machine = first;
    }

    private void await(Predicate<ConversationState> wanted) {
      ConversationState unused =
          DurableHostContract.await(
              machines.store(),
              "c",
              state -> {
                if (!machine.isAlive()) {
                  machine = machines.start(context -> {});
                }
                return wanted.test(state);
              });
    }

    void play() {
      Agent.Queue queue = machines.queue();
      queue.submit("c", new Input.Said("first", "Do it all."));
      int answers = 0;
      // A call that was agreed to and cut off is asked about again.
      do {
        await(state -> DurableHostContract.ended(1).test(state) || isAsked(state));
        ConversationState now = machines.store().state("c").load().value();
        if (isAsked(now)) {
          String id = now.unanswered().getFirst().id();
          queue.submit("c", new Input.Answered("answer" + answers++, id, Answer.approveOnce()));
          await(state -> !isAsked(state) || state.loop().knows("answer" + (answers(state) - 1)));
        }
      } while (!DurableHostContract.ended(1).test(machines.store().state("c").load().value()));
      queue.submit("c", new Input.Said("third", "Thank you."));
      await(DurableHostContract.ended(2));
      machine.close();
    }

    private static int answers(ConversationState state) {
      return (int) state.loop().inputs().stream().filter(id -> id.startsWith("answer")).count();
    }

    private static boolean isAsked(ConversationState state) {
      return state.loop().waiting()
          && !state.unanswered().isEmpty()
          && state.lease().until() == null;
    }
  }
}
