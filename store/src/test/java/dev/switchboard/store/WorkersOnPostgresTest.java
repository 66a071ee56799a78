package dev.switchboard.store;

import dev.switchboard.agent.WorkerMachines;
import dev.switchboard.contract.DurableClusterContract;
import dev.switchboard.contract.DurableScenario;
import java.nio.file.Path;

/// Workers that share a PostgreSQL database, as on several machines.
class WorkersOnPostgresTest implements DurableClusterContract {
  @Override
  public Machines machines(DurableScenario scenario) {
    String place = PostgresServer.newPlace();
    return new WorkerMachines(scenario, () -> Storage.shared(place, Path.of("")));
  }
}
