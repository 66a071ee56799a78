package dev.switchboard.agent;

import dev.switchboard.contract.DurableHostContract;
import dev.switchboard.contract.DurableScenario;
import dev.switchboard.contract.DurableSweep;
import dev.switchboard.execution.InProcessConversations;

/// Processes that hold conversations by themselves, one process at a time: what several of them do
/// at once is not theirs to keep.
class ProcessesTest implements DurableHostContract, DurableSweep {
  @Override
  public Machines machines(DurableScenario scenario) {
    return machines(scenario, 0);
  }

  @Override
  public Mortal machines(DurableScenario scenario, int run) {
    return new ProcessMachines(scenario, new InProcessConversations());
  }
}
