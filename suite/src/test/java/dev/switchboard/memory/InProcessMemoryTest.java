package dev.switchboard.memory;

import dev.switchboard.contract.VectorStoreContract;

class InProcessMemoryTest implements VectorStoreContract {
  private final VectorStore store = new InProcessMemory();

  @Override
  public String name() {
    return "in process";
  }

  @Override
  public VectorStore open() {
    return store;
  }
}
