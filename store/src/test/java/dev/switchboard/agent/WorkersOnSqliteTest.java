package dev.switchboard.agent;

import dev.switchboard.contract.DurableClusterContract;
import dev.switchboard.contract.DurableScenario;
import dev.switchboard.store.Storage;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/// Workers that share a file: what they do does not depend on the database.
class WorkersOnSqliteTest implements DurableClusterContract {
  @TempDir Path folder;

  @Override
  public Machines machines(DurableScenario scenario) {
    Storage storage = Storage.shared("sqlite:shared.db", folder);
    return new WorkerMachines(scenario, () -> storage);
  }
}
