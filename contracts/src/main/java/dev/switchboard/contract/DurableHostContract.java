package dev.switchboard.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.loop.Input;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.LoopState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What holds for every host of conversations whose processes may die: the same scenario, the same
/// transcript, every deed once.
@SuppressWarnings("try") // workers are there to be closed
public interface DurableHostContract {
  /// The world of one test.
  default DurableScenario scenario() {
    return new DurableScenario();
  }

  /// Machines that hold the scenario's conversations; none runs yet.
  Machines machines(DurableScenario scenario);

  /// Machines, and where inputs are handed in.
  interface Machines extends AutoCloseable {
    /// A machine that runs from now on.
    Machine start(DurableScenario.Before before);

    Agent.Queue queue();

    ConversationStore store();

    @Override
    void close();
  }

  /// A process that runs turns.
  interface Machine extends AutoCloseable {
    /// Dies: nothing that it does from now on reaches anybody.
    void die();

    boolean isAlive();

    /// Hands over what it has.
    @Override
    void close();
  }

  /// How the conversation stands once that holds, within a bounded time.
  static ConversationState await(
      ConversationStore store, String id, Predicate<ConversationState> wanted) {
    long end = System.nanoTime() + Duration.ofMinutes(5).toNanos();
    CountDownLatch never = new CountDownLatch(1);
    while (true) {
      ConversationState state = store.state(id).load().value();
      if (wanted.test(state)) {
        return state;
      }
      assertThat(System.nanoTime()).as("still %s", state).isLessThan(end);
      try {
        assertThat(never.await(5, TimeUnit.MILLISECONDS)).isFalse();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  /// Whether the turn of that number has ended.
  static Predicate<ConversationState> ended(int turn) {
    return state -> state.loop().turn() == turn && state.loop().last() != null;
  }

  /// The request that the conversation waits with.
  static ConsentRequest awaitRequest(ConversationStore store, String id) {
    return await(store, id, state -> state.loop().waiting() && !state.unanswered().isEmpty())
        .unanswered()
        .getFirst();
  }

  /// Plays the scenario to its end.
  static void play(Machines machines, String id) {
    machines.queue().submit(id, new Input.Said("first", "Do it all."));
    ConsentRequest request = awaitRequest(machines.store(), id);
    machines.queue().submit(id, new Input.Answered("second", request.id(), Answer.approveOnce()));
    await(machines.store(), id, ended(1));
    machines.queue().submit(id, new Input.Said("third", "Thank you."));
    await(machines.store(), id, ended(2));
  }

  @Test
  default void holdsTheConversationOfTheScenario() {
    DurableScenario scenario = scenario();
    try (Machines machines = machines(scenario);
        Machine machine = machines.start(context -> {})) {
      play(machines, "c");

      scenario.checkDeeds();
      assertThat(DurableScenario.transcript(machines.store(), "c"))
          .isEqualTo(DurableScenario.expected());
    }
  }

  @Test
  default void takesAnInputOnceHoweverOftenItIsHandedIn() {
    DurableScenario scenario = scenario();
    try (Machines machines = machines(scenario)) {
      Input said = new Input.Said("same", "One.");
      assertThat(machines.queue().submit("c", said)).isTrue();
      assertThat(machines.queue().submit("c", said)).isFalse();
      try (Machine machine = machines.start(context -> {})) {
        await(machines.store(), "c", ended(1));
        machines.queue().submit("c", said);
        machines.queue().submit("c", new Input.Said("other", "Two."));
        await(machines.store(), "c", ended(2));

        assertThat(said(machines.store(), "c")).containsExactly("One.", "Two.");
      }
    }
  }

  /// What was said in the conversation, in its order.
  static List<String> said(ConversationStore store, String id) {
    List<String> said = new ArrayList<>();
    for (ConversationStore.Line line : store.lines(id, 1000)) {
      if (line.key().endsWith("/input")) {
        said.add(line.entry().tree().path("text").asString());
      }
    }
    return said;
  }

  @Test
  default void takesInputsInTheOrderInWhichTheyWereKept() {
    DurableScenario scenario = scenario();
    try (Machines machines = machines(scenario)) {
      List<String> texts = IntStream.range(0, 8).mapToObj(i -> "Sentence " + i).toList();
      texts.forEach(text -> machines.queue().submit("c", new Input.Said(text, text)));
      try (Machine machine = machines.start(context -> {})) {
        await(machines.store(), "c", ended(8));

        assertThat(said(machines.store(), "c")).isEqualTo(texts);
      }
    }
  }

  @Test
  default void endsATurnThatIsCancelled() throws InterruptedException {
    DurableScenario scenario = scenario();
    try (Machines machines = machines(scenario);
        Machine machine = machines.start(context -> {})) {
      machines.queue().submit("c", new Input.Said("slow", "Be slow."));
      assertThat(scenario.slow.await(5, TimeUnit.MINUTES)).isTrue();
      machines.queue().cancel("c");

      LoopState.Last last = await(machines.store(), "c", ended(1)).loop().last();
      assertThat(last).extracting(LoopState.Last::reason).hasToString("CANCELLED");
    }
  }

  @Test
  default void anotherMachineGoesOnWhereOneDies() throws InterruptedException {
    DurableScenario scenario = scenario();
    CountDownLatch inDeed = new CountDownLatch(1);
    CountDownLatch dead = new CountDownLatch(1);
    try (Machines machines = machines(scenario)) {
      machines.queue().submit("c", new Input.Said("first", "Do it all."));
      Machine dying =
          machines.start(context -> {
            inDeed.countDown();
            try {
              dead.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            throw new IllegalStateException("its machine is dead");
          });
      assertThat(inDeed.await(5, TimeUnit.MINUTES)).isTrue();
      dying.die();
      dead.countDown();
      try (Machine other = machines.start(context -> {})) {
        ConsentRequest request = awaitRequest(machines.store(), "c");
        machines
            .queue()
            .submit("c", new Input.Answered("second", request.id(), Answer.approveOnce()));
        await(machines.store(), "c", ended(1));
        machines.queue().submit("c", new Input.Said("third", "Thank you."));
        await(machines.store(), "c", ended(2));

        scenario.checkDeeds();
        assertThat(DurableScenario.transcript(machines.store(), "c"))
            .isEqualTo(DurableScenario.expected());
      }
    }
  }
}
