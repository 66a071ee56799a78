package dev.switchboard.agent;

import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.MessageRouter;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.loop.Input;
import dev.switchboard.memory.Memory;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A model with a prompt, tools and rules, to hold conversations with. It has no state of its own
/// to talk to.
///
/// Safe for use by several threads.
public final class Agent implements AutoCloseable {
  private final AgentParts parts;
  private final Conversations open;

  Agent(AgentParts parts, Conversations open) {
    this.parts = parts;
    this.open = open;
  }

  /// An agent to set up.
  public static AgentBuilder builder(String name) {
    return new AgentBuilder(name);
  }

  /// The conversation of that id: the one that is open, else as the agent's store knows it, else a
  /// new one. It stays open, and in memory, until it is closed.
  ///
  /// @throws RuntimeException when the store cannot be read
  public Conversation conversation(String id) {
    return conversation(id, ConversationOptions.NONE);
  }

  /// The conversation of that id, opened with what its host knows of it; one that is open keeps
  /// what it was opened with, but for one that this process has claimed: that takes its place.
  ///
  /// @throws IllegalArgumentException when two of the host's tools have the same name
  /// @throws RuntimeException when the store cannot be read
  public Conversation conversation(String id, ConversationOptions options) {
    return options.store() == null && options.hold().claimed() == 0
        ? open.get(id, name -> new Conversation(name, parts, options, open))
        : open.put(id, new Conversation(id, parts, options, open));
  }

  /// The conversation of that id, driven by its host, as on a phone line: no turn begins in it
  /// until that is closed.
  ///
  /// @param sink takes the events, one after the other
  /// @throws IllegalStateException when it is driven by a host already
  /// @throws ConversationConflictException when another process holds it
  /// @throws RuntimeException when the store cannot be read or written
  public LiveSession live(String id, ConversationOptions options, Consumer<Event> sink) {
    return conversation(id, options).live(sink);
  }

  /// Its name.
  public String name() {
    return parts.name();
  }

  /// What it says first, its placeholders filled; null for nothing.
  public @Nullable String firstMessage() {
    String text = parts.firstMessage();
    return text == null ? null : parts.variables().fill(text);
  }

  /// Closes its conversations, the sources of its tools, and the storage where the agent opened
  /// that itself.
  ///
  /// @throws IllegalStateException when results could not be stored, which are lost
  @Override
  public void close() {
    try {
      open.closeAll();
    } finally {
      parts.executor().close();
      parts.onClose().run();
    }
  }

  /// Where inputs wait for a [Worker], of which there may be any number, on any number of machines.
  ///
  /// @throws IllegalStateException when its store is not one that processes share
  public Queue queue() {
    return new StoreQueue(sharedQueue());
  }

  private ConversationStore.Queue sharedQueue() {
    ConversationStore.Queue queue = parts.store() == null ? null : parts.store().queue();
    if (queue == null) {
      throw new IllegalStateException(
          "agent '" + name() + "' has no store that processes share: open it with Storage.shared");
    }
    return queue;
  }

  /// Takes up its conversations that are due, beside other processes that do, until it is closed.
  ///
  /// @throws IllegalStateException when its store is not one that processes share, or its executor
  ///   has an approver that is waited for: a turn would wait on one machine for a person
  public Worker work(Cluster cluster) {
    if (parts.asksInline()) {
      throw new IllegalStateException(
          "agent '%s' has an approver that is waited for; without one its requests are stored, and"
                  .formatted(name())
              + " answered from anywhere");
    }
    ConversationStore.Queue queue = sharedQueue();
    ConversationStore store = Objects.requireNonNull(parts.store());
    return new WorkerPool(this, store, queue, cluster.hold(), cluster.turns());
  }

  /// Where inputs of conversations are handed in whose turns run elsewhere: in whichever process
  /// takes them up. Safe for use by several threads.
  public interface Queue {
    /// Keeps an input; when this returns it is kept, and its turn may not have begun. Those of one
    /// conversation are taken one after the other, in the order in which they were kept.
    ///
    /// @return false, and nothing is done, where one of its id waits
    /// @throws IllegalStateException when too many wait in that conversation
    /// @throws RuntimeException when it cannot be kept
    boolean submit(String conversation, Input input);

    /// Ends the turn that runs in that conversation, or that an input is about to begin: the model
    /// is cut off, calls that may be cancelled are, and every call has its result. Without effect
    /// where there is none.
    void cancel(String conversation);
  }

  /// How processes share the conversations of an agent.
  ///
  /// @param hold how long a conversation is a process's unless it renews that: so long after its
  ///   death another one goes on; at least a second
  /// @param turns that run at a time in one process, at least 1
  public record Cluster(Duration hold, int turns) {
    /// 3 seconds and 64 turns.
    public static final Cluster USUAL = new Cluster(Duration.ofSeconds(3), 64);

    /// @throws IllegalArgumentException when one is too small
    public Cluster {
      if (turns < 1 || hold.compareTo(Duration.ofSeconds(1)) < 0) {
        throw new IllegalArgumentException(
            "a process runs at least 1 turn at a time and holds it for at least 1s, not %d and %d ms"
                .formatted(turns, hold.toMillis()));
      }
    }
  }

  /// A process's part in the work on an agent's conversations.
  public interface Worker extends AutoCloseable {
    /// How many turns run here now.
    int running();

    /// Takes up nothing more and hands over what runs between two effects; waits for that for at
    /// most 30 seconds.
    @Override
    void close();
  }

  /// How it is with the sources of its tools, such as MCP servers.
  public List<ToolRegistry.Source.State> toolSources() {
    return parts.executor().sources();
  }

  /// What it remembers, in its own hands.
  public Memory memory() {
    return parts.memory().blocks();
  }

  /// What it remembers, in the hands of a person, who may do everything.
  ///
  /// @param person the name in the log of edits
  public Memory memoryInHandsOf(String person) {
    return Memory.inHandsOf(person, parts.memory().store(), name(), parts.time());
  }

  /// Where its conversations are kept beyond this process, null where they are not.
  public @Nullable ConversationStore store() {
    return parts.store();
  }

  /// Its conversations in its store, to be listed, shown and deleted.
  ///
  /// @throws IllegalStateException when it has none
  public StoredConversations storedConversations() {
    ConversationStore store = parts.store();
    if (store == null) {
      throw new IllegalStateException("agent '" + name() + "' has no store");
    }
    return new StoredConversations(name(), store, parts.memory().store(), parts.time());
  }

  /// The name of the model that it talks with.
  public String model() {
    return parts.model().name();
  }

  /// Whether a person is asked for consent within the turn, and waited for.
  public boolean asksInline() {
    return parts.asksInline();
  }

  /// Whether a new sentence of the user denies what waits for consent; it is refused otherwise.
  public boolean deniesPending() {
    return parts.denyPending();
  }

  /// Shows messages to the users of its open conversations: where a router of one's own delivers
  /// what is for a user.
  public MessageRouter users() {
    return open::deliver;
  }

  /// Whether it has hooks around questions to the model, which hold where it asks that itself.
  public boolean hasModelHooks() {
    return !parts.hooks().isEmpty();
  }

  /// The clock that it goes by.
  public Time time() {
    return parts.time();
  }

  /// The door that its calls go through.
  public ToolExecutor executor() {
    return parts.executor();
  }
}
