package dev.switchboard.contract;

import dev.switchboard.memory.VectorStore;

/// What every store of vectors does, and what every store does.
public interface VectorStoreContract extends MemoryStoreContract, VectorsContract {
  @Override
  VectorStore open();
}
