package dev.switchboard.memory;

class InProcessMemoryTest implements MemoryStoreContract {
  private final MemoryStore store = new InProcessMemory();

  @Override
  public String name() {
    return "in process";
  }

  @Override
  public MemoryStore open() {
    return store;
  }
}
