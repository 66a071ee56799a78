package dev.switchboard.memory;

class InProcessMemoryTest implements VectorStoreContract {
  private final VectorStore store = new InProcessMemory();

  @Override
  public VectorStore open() {
    return store;
  }
}
