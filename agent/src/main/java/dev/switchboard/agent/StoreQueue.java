package dev.switchboard.agent;

import dev.switchboard.execution.ConversationQueue;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.loop.Input;
import dev.switchboard.loop.InputJson;
import dev.switchboard.text.DerivedId;
import dev.switchboard.text.PrincipalName;

/// The queue of a principal's inputs in a store that several processes share.
///
/// @param store of the queue
record StoreQueue(String principal, ConversationStore store, ConversationQueue queue)
    implements Agent.Queue {
  @Override
  public boolean submit(String conversation, Input input) {
    if (DerivedId.isReserved(conversation) && !store.load(conversation).exists()) {
      DerivedId.requireChosen(conversation);
    }
    return queue.submit(conversation, principal, InputJson.line(input));
  }

  @Override
  public void cancel(String conversation) {
    if (!PrincipalName.isOthers(store.load(conversation).principal(), principal)) {
      queue.cancel(conversation);
    }
  }
}
