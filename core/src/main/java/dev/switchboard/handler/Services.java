package dev.switchboard.handler;

import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.model.ChatModel;
import dev.switchboard.time.Time;
import org.jspecify.annotations.Nullable;

/// What all calls of an agent share: its memory, the way of its messages, its model, and the data
/// sources of its host.
///
/// Immutable, and safe for use by several threads as far as its parts are.
public final class Services {
  private final Memory memory;
  private final MemoryStore store;
  private final MessageRouter router;
  private final @Nullable ChatModel model;
  private final DataSources sources;

  private Services(
      Memory memory,
      MemoryStore store,
      MessageRouter router,
      @Nullable ChatModel model,
      DataSources sources) {
    this.memory = memory;
    this.store = store;
    this.router = router;
    this.model = model;
    this.sources = sources;
  }

  /// The services of that agent: its memory, and neither router, model nor sources.
  public static Services of(String agent, MemoryStore store, Time time) {
    return new Services(
        Memory.of(store, agent, time), store, MessageRouter.NOBODY, null, DataSources.NONE);
  }

  /// The same with messages delivered there.
  public Services withRouter(MessageRouter delivering) {
    return new Services(memory, store, delivering, model, sources);
  }

  /// The same with that model.
  public Services withModel(ChatModel used) {
    return new Services(memory, store, router, used, sources);
  }

  /// The same with these data sources.
  public Services withSources(DataSources given) {
    return new Services(memory, store, router, model, given);
  }

  /// The agent's name; empty for an executor that stands alone.
  public String agent() {
    return memory.agent();
  }

  /// The agent's blocks of memory in its own hands, those that others share with it among them;
  /// [Memory#share] shares its own. Limits and permissions hold.
  public Memory memory() {
    return memory;
  }

  /// Where that memory is kept: for what the agent has put away and said, found by search. Blocks
  /// are changed through [#memory()], since nothing is checked here.
  public MemoryStore store() {
    return store;
  }

  /// The way of messages to users, agents, groups and channels; in a running call it reaches at
  /// least the user, where anyone listens to the events of the conversation.
  public MessageRouter router() {
    return router;
  }

  /// The model that the agent talks with, for questions of a handler's own; null where there is
  /// none.
  public @Nullable ChatModel model() {
    return model;
  }

  /// The data sources of the host.
  public DataSources sources() {
    return sources;
  }
}
