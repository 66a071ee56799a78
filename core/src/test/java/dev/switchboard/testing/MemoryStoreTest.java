package dev.switchboard.testing;

import dev.switchboard.execution.ConversationStore;
import dev.switchboard.store.ConversationStoreContract;

class MemoryStoreTest implements ConversationStoreContract {
  private final MemoryStore store = new MemoryStore();

  @Override
  public ConversationStore open() {
    return store;
  }
}
