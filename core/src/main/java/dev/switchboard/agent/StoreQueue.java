package dev.switchboard.agent;

import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.Summary;
import dev.switchboard.loop.Input;
import dev.switchboard.loop.InputJson;
import dev.switchboard.text.DerivedId;

/// The queue of a principal's inputs in a store that several processes share.
///
/// @param store of the queue
record StoreQueue(String principal, ConversationStore store, ConversationStore.Queue queue)
    implements Agent.Queue {
  @Override
  public boolean submit(String conversation, Input input) {
    if (DerivedId.isReserved(conversation) && store.conversation(conversation) == null) {
      DerivedId.requireChosen(conversation);
    }
    return queue.submit(conversation, principal, InputJson.line(input));
  }

  @Override
  public void cancel(String conversation) {
    Summary known = store.conversation(conversation);
    if (known != null && known.header().principal().equals(principal)) {
      queue.cancel(conversation);
    }
  }
}
