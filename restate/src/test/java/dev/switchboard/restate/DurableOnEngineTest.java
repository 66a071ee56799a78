package dev.switchboard.restate;

import dev.switchboard.contract.DurableClusterContract;
import dev.switchboard.contract.DurableScenario;
import dev.switchboard.store.Storage;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/// Workers that an engine gives turns to hold the scenario as every host does, whichever way inputs
/// come in.
@Tag("servers")
class DurableOnEngineTest {
  private static final AtomicInteger NAMES = new AtomicInteger();

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

  /// The engine knows what other tests have done.
  private static DurableScenario named() {
    return new DurableScenario("durable-" + NAMES.incrementAndGet());
  }

  @Nested
  class ByTheEngine implements DurableClusterContract {
    @TempDir Path place;

    @Override
    public DurableScenario scenario() {
      return named();
    }

    @Override
    public Machines machines(DurableScenario scenario) {
      Storage storage = Storage.open("sqlite:engine.db", place);
      return new EngineMachines(
          engine, scenario, storage, at -> new RestateQueue(at, scenario.name));
    }
  }

  @Nested
  class ByTheStorage implements DurableClusterContract {
    @TempDir Path place;

    @Override
    public DurableScenario scenario() {
      return named();
    }

    @Override
    public Machines machines(DurableScenario scenario) {
      Storage storage = Storage.shared("sqlite:shared.db", place);
      return new EngineMachines(
          engine,
          scenario,
          storage,
          at ->
              scenario.agent(storage.conversations(scenario.name), context -> {}).build().queue());
    }
  }
}
