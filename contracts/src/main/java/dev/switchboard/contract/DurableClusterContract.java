package dev.switchboard.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.loop.Input;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What holds for every host, and what holds where several of its machines run at a time.
@SuppressWarnings("try") // workers are there to be closed
public interface DurableClusterContract extends DurableHostContract {
  @Test
  default void machinesTakeInputsInTheOrderInWhichTheyWereKept() {
    DurableScenario scenario = scenario();
    try (Machines machines = machines(scenario);
        Machine one = machines.start(context -> {});
        Machine other = machines.start(context -> {})) {
      List<String> texts = IntStream.range(0, 8).mapToObj(i -> "Sentence " + i).toList();
      texts.forEach(text -> machines.queue().submit("c", new Input.Said(text, text)));
      DurableHostContract.await(machines.store(), "c", DurableHostContract.ended(8));

      assertThat(DurableHostContract.said(machines.store(), "c")).isEqualTo(texts);
      assertThat(one.isAlive() && other.isAlive()).isTrue();
    }
  }

  @Test
  default void machinesHoldManyConversationsAtOnce() {
    DurableScenario scenario = scenario();
    try (Machines machines = machines(scenario);
        Machine one = machines.start(context -> {});
        Machine other = machines.start(context -> {})) {
      List<String> ids = IntStream.range(0, 16).mapToObj(i -> "c" + i).toList();
      ids.forEach(id -> machines.queue().submit(id, new Input.Said("said", "Said in " + id)));
      for (String id : ids) {
        DurableHostContract.await(machines.store(), id, DurableHostContract.ended(1));
        assertThat(DurableHostContract.said(machines.store(), id)).containsExactly("Said in " + id);
      }
      assertThat(one.isAlive() && other.isAlive()).isTrue();
    }
  }
}
