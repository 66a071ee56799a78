package dev.switchboard.agent;

import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.MessageRouter;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.memory.Memory;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import java.util.List;
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
  /// what it was opened with.
  ///
  /// @throws IllegalArgumentException when two of the host's tools have the same name
  /// @throws RuntimeException when the store cannot be read
  public Conversation conversation(String id, ConversationOptions options) {
    return open.get(id, name -> new Conversation(name, parts, options, open));
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
