package dev.switchboard.store;

import dev.switchboard.execution.ConversationStore;

class InProcessConversationsTest implements ConversationStoreContract {
  private final InProcessConversations store = new InProcessConversations();

  @Override
  public ConversationStore open() {
    return store;
  }
}
