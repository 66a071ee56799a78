package dev.switchboard.agent;

import dev.switchboard.execution.ConversationStore;
import dev.switchboard.loop.Input;
import dev.switchboard.loop.InputJson;

/// The queue of inputs in a store that several processes share.
record StoreQueue(ConversationStore.Queue queue) implements Agent.Queue {
  @Override
  public boolean submit(String conversation, Input input) {
    return queue.submit(conversation, InputJson.line(input));
  }

  @Override
  public void cancel(String conversation) {
    queue.cancel(conversation);
  }
}
