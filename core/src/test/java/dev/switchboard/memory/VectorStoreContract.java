package dev.switchboard.memory;

/// What every store of vectors does, and what every store does.
public interface VectorStoreContract extends MemoryStoreContract, VectorsContract {
  @Override
  VectorStore open();
}
