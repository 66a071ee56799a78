package dev.switchboard.agent;

import dev.switchboard.contract.DurableScenario;
import dev.switchboard.contract.DurableSweep;
import dev.switchboard.store.Storage;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/// A worker dies behind every single write, and another goes on by itself.
@Tag("slow")
class WorkerCrashSweepTest implements DurableSweep {
  @TempDir Path folder;

  @Override
  public Mortal machines(DurableScenario scenario, int run) {
    Storage storage = Storage.shared("sqlite:sweep%d.db".formatted(run), folder);
    return new WorkerMachines(scenario, () -> storage);
  }
}
