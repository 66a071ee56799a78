package dev.switchboard.store;

import dev.switchboard.agent.DurableClusterContract;
import dev.switchboard.agent.DurableScenario;
import dev.switchboard.agent.WorkerMachines;
import java.nio.file.Path;

/// Workers that share a PostgreSQL database, as on several machines.
class WorkersOnPostgresTest implements DurableClusterContract {
  @Override
  public Machines machines(DurableScenario scenario) {
    String place = PostgresServer.newPlace();
    return new WorkerMachines(scenario, () -> Storage.shared(place, Path.of("")));
  }
}
