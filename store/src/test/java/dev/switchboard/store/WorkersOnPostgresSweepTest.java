package dev.switchboard.store;

import dev.switchboard.agent.WorkerMachines;
import dev.switchboard.contract.DurableScenario;
import dev.switchboard.contract.DurableSweep;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/// A worker dies behind every single write to a PostgreSQL database, and another goes on by itself.
@Tag("slow")
class WorkersOnPostgresSweepTest implements DurableSweep {
  @Override
  public Mortal machines(DurableScenario scenario, int run) {
    String place = PostgresServer.newPlace();
    return new WorkerMachines(scenario, () -> Storage.shared(place, Path.of("")));
  }
}
