package dev.switchboard.agent;

import dev.switchboard.contract.DurableHostContract.Machine;
import dev.switchboard.contract.DurableScenario;
import dev.switchboard.contract.DurableSweep;
import dev.switchboard.contract.DyingStore;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.store.Storage;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

/// Workers of this process that stand for machines: each has connections and a store of its own,
/// which dies with it.
public final class WorkerMachines implements DurableSweep.Mortal {
  // Short, so that nobody waits long for the end of a dead one's hold.
  private static final Duration HOLD = Duration.ofMillis(1_500);
  private static final int MOST_TURNS = 16;

  private final DurableScenario scenario;
  private final Supplier<Storage> opening;
  private final Set<Storage> opened = new LinkedHashSet<>();
  private final ConversationStore store;
  private final Agent submitting;

  /// @param opening opens the same database each time; what a file's machines tell each other is
  ///   heard only where they have opened it together
  public WorkerMachines(DurableScenario scenario, Supplier<Storage> opening) {
    this.scenario = scenario;
    this.opening = opening;
    store = open().conversations("durable");
    submitting = scenario.agent(store, context -> {}).build();
  }

  private Storage open() {
    Storage storage = opening.get();
    opened.add(storage);
    return storage;
  }

  @Override
  public Machine start(DurableScenario.Before before, int writes) {
    Storage storage = open();
    DyingStore own = new DyingStore(storage.conversations("durable"), writes);
    DurableScenario.Before deeds = own.guarding(before);
    Agent agent = scenario.agent(own, deeds).time(storage.time()).build();
    WorkerPool pool =
        new WorkerPool(agent, own, Objects.requireNonNull(own.queue()), HOLD, MOST_TURNS);
    return new Machine() {
      @Override
      public void die() {
        own.die();
      }

      @Override
      public boolean isAlive() {
        return own.isAlive();
      }

      @Override
      public void close() {
        pool.close();
      }
    };
  }

  @Override
  public Agent.Queue queue() {
    return submitting.queue();
  }

  @Override
  public ConversationStore store() {
    return store;
  }

  @Override
  public void close() {
    submitting.close();
    opened.forEach(Storage::close);
  }
}
