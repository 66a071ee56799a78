package dev.switchboard.memory;

class InProcessMemoryTest implements MemoryStoreContract {
  private final MemoryStore store = new InProcessMemory();

  @Override
  public MemoryStore open() {
    return store;
  }
}
