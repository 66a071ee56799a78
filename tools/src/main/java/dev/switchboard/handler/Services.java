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

  /// These services as the conversations of that principal use them: with its memory.
  public Services withPrincipal(String principal) {
    return memory.isOf(principal)
        ? this
        : new Services(memory.forPrincipal(principal), store, router, model, sources);
  }

  /// These services with a memory of which all principals share blocks and entries, or nothing.
  public Services withScope(Memory.Scope scope) {
    return new Services(memory.withScope(scope), store, router, model, sources);
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

  /// The blocks of memory of the agent and the conversation's principal, including those shared
  /// with it, with limits and permissions.
  public Memory memory() {
    return memory;
  }

  /// The store of that memory. It checks no permissions, and has what belongs to other principals:
  /// search and change blocks through [#memory()]; what else is stored for this principal has the
  /// owner [Memory#owner()].
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
