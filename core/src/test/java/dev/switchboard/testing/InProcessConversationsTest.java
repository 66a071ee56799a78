package dev.switchboard.testing;

import dev.switchboard.execution.ConversationStore;
import dev.switchboard.store.ConversationStoreContract;

class InProcessConversationsTest implements ConversationStoreContract {
  private final InProcessConversations store = new InProcessConversations();

  @Override
  public ConversationStore open() {
    return store;
  }
}
