package dev.switchboard.store;

import dev.switchboard.agent.DurableHostContract;
import dev.switchboard.agent.DurableScenario;
import dev.switchboard.agent.WorkerMachines;
import java.nio.file.Path;

/// Workers that share a PostgreSQL database, as on several machines.
class WorkersOnPostgresTest implements DurableHostContract {
  @Override
  public Machines machines(DurableScenario scenario) {
    String place = PostgresServer.newPlace();
    return new WorkerMachines(scenario, () -> Storage.shared(place, Path.of("")));
  }
}
