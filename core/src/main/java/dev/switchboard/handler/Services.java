package dev.switchboard.handler;

import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.model.ChatModel;
import dev.switchboard.time.Time;
import org.jspecify.annotations.Nullable;

/// The services that all calls of an agent share: its memory, its message router, its model, and
/// the data sources of its host.
///
/// Immutable, and thread-safe as far as its parts are.
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

  /// The services of that agent: its memory, without a router, a model or sources.
  public static Services of(String agent, MemoryStore store, Time time) {
    return new Services(
        Memory.of(store, agent, time), store, MessageRouter.NOBODY, null, DataSources.NONE);
  }

  /// These services with that message router.
  public Services withRouter(MessageRouter delivering) {
    return new Services(memory, store, delivering, model, sources);
  }

  /// These services with that model.
  public Services withModel(ChatModel used) {
    return new Services(memory, store, router, used, sources);
  }

  /// These services with these data sources.
  public Services withSources(DataSources given) {
    return new Services(memory, store, router, model, given);
  }

  /// The agent's name; empty for an executor without an agent.
  public String agent() {
    return memory.agent();
  }

  /// The agent's blocks of memory, including those shared with it, with limits and permissions.
  public Memory memory() {
    return memory;
  }

  /// The store of that memory, to search archived memory and what was said. It checks no
  /// permissions: change blocks through [#memory()].
  public MemoryStore store() {
    return store;
  }

  /// Delivers messages to users, agents, groups and channels; in a running call it reaches at least
  /// the user, if the events of the conversation are listened to.
  public MessageRouter router() {
    return router;
  }

  /// The agent's model, for a handler's own questions; null if there is none.
  public @Nullable ChatModel model() {
    return model;
  }

  /// The data sources of the host.
  public DataSources sources() {
    return sources;
  }
}
