package dev.switchboard.restate;

import dev.switchboard.agent.Agent;
import dev.switchboard.contract.DurableHostContract.Machine;
import dev.switchboard.contract.DurableHostContract.Machines;
import dev.switchboard.contract.DurableScenario;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.harness.Ports;
import dev.switchboard.store.Storage;
import java.util.function.Function;

/// Workers of this process that stand for machines, behind one address, which the engine gives
/// turns to.
final class EngineMachines implements Machines {
  private final DurableScenario scenario;
  private final Storage storage;
  private final ConversationStore store;
  private final Agent.Queue queue;
  private final RestateEngine engine;
  private final Balancer balancer = Balancer.start();

  /// @param queue where inputs are handed in, made for the scenario's agent
  EngineMachines(
      Engine engine,
      DurableScenario scenario,
      Storage storage,
      Function<RestateEngine, Agent.Queue> queue) {
    this.scenario = scenario;
    this.storage = storage;
    this.engine = RestateEngine.at(engine.address());
    store = storage.conversations(scenario.name);
    this.queue = queue.apply(this.engine);
    // Its name is known from now on.
    start(context -> {}).close();
  }

  @Override
  public Machine start(DurableScenario.Before before) {
    int port = Ports.free();
    balancer.add(port);
    Agent agent = scenario.agent(store, before).build();
    RestateWorker worker =
        RestateWorker.builder(agent).port(port).address(balancer.address()).start(engine);
    return new Machine() {
      private boolean alive = true;

      @Override
      public void die() {
        alive = false;
        worker.stop();
      }

      @Override
      public boolean isAlive() {
        return alive;
      }

      @Override
      public void close() {
        if (alive) {
          worker.close();
        }
      }
    };
  }

  @Override
  public Agent.Queue queue() {
    return queue;
  }

  @Override
  public ConversationStore store() {
    return store;
  }

  /// The network between the engine and the machines.
  Balancer network() {
    return balancer;
  }

  @Override
  public void close() {
    balancer.close();
    engine.close();
    storage.close();
  }
}
