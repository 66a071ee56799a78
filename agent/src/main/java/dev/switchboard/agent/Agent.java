package dev.switchboard.agent;

import dev.switchboard.builtin.BuiltInTools;
import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.execution.ConversationNotFoundException;
import dev.switchboard.execution.ConversationQueue;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.MessageRouter;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.loop.Input;
import dev.switchboard.memory.Memory;
import dev.switchboard.text.PrincipalName;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A model with a prompt, tools and rules. Its conversations are [Conversation] objects.
///
/// Thread-safe.
public final class Agent implements AutoCloseable {
  private final AgentParts parts;
  private final Conversations open;
  private final Set<Path> callRecords = ConcurrentHashMap.newKeySet(); // folders
  private final List<MessageRouter> messages = new CopyOnWriteArrayList<>();

  Agent(AgentParts parts, Conversations open) {
    this.parts = parts;
    this.open = open;
  }

  /// A builder for an agent.
  public static AgentBuilder builder(String name) {
    return new AgentBuilder(name);
  }

  /// The conversation of that id: the open one, otherwise that of the agent's store, otherwise a
  /// new one. It stays open, and in memory, until it is closed.
  ///
  /// @throws ConversationNotFoundException when it belongs to a principal, see
  ///   [ConversationOptions#withPrincipal]
  /// @throws IllegalArgumentException when it is new and its id contains `~`
  /// @throws RuntimeException when the store cannot be read
  public Conversation conversation(String id) {
    return conversation(id, ConversationOptions.NONE);
  }

  /// The conversation of that id, opened with what its host knows of it. An open one keeps its
  /// options, except that a conversation which this process has claimed replaces it.
  ///
  /// @throws ConversationNotFoundException when it belongs to another principal
  /// @throws IllegalArgumentException when two of the host's tools have the same name, or it is new
  ///   and its id contains `~`
  /// @throws RuntimeException when the store cannot be read
  public Conversation conversation(String id, ConversationOptions options) {
    return options.store() == null && options.hold().claimed() == 0
        ? open.get(id, options.principal(), name -> new Conversation(name, parts, options, open))
        : open.put(id, new Conversation(id, parts, options, open));
  }

  /// The conversation of that id, driven by its host, as on a phone line: no other turn begins in
  /// it until it is closed.
  ///
  /// @param sink receives the events, one after the other
  /// @throws IllegalStateException when a host drives it already
  /// @throws ConversationConflictException when another process holds it
  /// @throws RuntimeException when the store cannot be read or written
  public LiveSession live(String id, ConversationOptions options, Consumer<Event> sink) {
    return conversation(id, options).live(sink);
  }

  /// Whether that conversation is open: no host has closed it, nor opened another one in its place.
  public boolean isOpen(Conversation conversation) {
    return open.has(conversation);
  }

  /// Cancels the running calls and denies the waiting requests of a conversation whose host has
  /// lent it, see [LiveSession#lend]; false if there are none.
  ///
  /// @throws ConversationConflictException when another process holds it
  public boolean cancelLent(String conversation, String by) {
    BorrowedConversation lent = open.lent(conversation);
    return lent != null && lent.cancel(by);
  }

  /// Has the host end its session that has lent that conversation, if one has; false if a call does
  /// not end in time, and then nothing has changed.
  public boolean endLent(String conversation, Duration most) throws InterruptedException {
    BorrowedConversation lent = open.lent(conversation);
    return lent == null || lent.end(most);
  }

  /// Its name.
  public String name() {
    return parts.name();
  }

  /// Its first message, with placeholders filled; null for none.
  public @Nullable String firstMessage() {
    String text = parts.firstMessage();
    return text == null ? null : parts.variables().fill(text);
  }

  /// Closes its conversations, the sources of its tools, and the storage if the agent opened it.
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

  /// The queue of inputs for workers, of which there may be any number, on any number of machines:
  /// inputs of the local user.
  ///
  /// @throws IllegalStateException when processes do not share its store
  public Queue queue() {
    return queue(PrincipalName.LOCAL);
  }

  /// The queue of inputs of that principal.
  ///
  /// @throws IllegalArgumentException as [ConversationOptions#withPrincipal]
  /// @throws IllegalStateException when processes do not share its store
  public Queue queue(String principal) {
    ConversationQueue shared = sharedQueue();
    return new StoreQueue(
        PrincipalName.checked(principal), Objects.requireNonNull(parts.store()), shared);
  }

  private ConversationQueue sharedQueue() {
    ConversationQueue queue = parts.store() == null ? null : parts.store().queue();
    if (queue == null) {
      throw new IllegalStateException(
          "agent '" + name() + "' has no store that processes share: open it with Storage.shared");
    }
    return queue;
  }

  /// Starts a worker that runs the turns of its conversations that are due, beside other processes,
  /// until it is closed.
  ///
  /// @throws IllegalStateException when processes do not share its store, or its executor has a
  ///   blocking approver: a turn would wait on one machine for a person
  public Worker work(Cluster cluster) {
    if (parts.asksInline()) {
      throw new IllegalStateException(
          "agent '%s' has a blocking approver; without one its requests are stored, and"
                  .formatted(name())
              + " answered from anywhere");
    }
    ConversationQueue queue = sharedQueue();
    ConversationStore store = Objects.requireNonNull(parts.store());
    return new WorkerPool(this, store, queue, cluster.hold(), cluster.turns());
  }

  /// Accepts inputs of conversations whose turns run in whichever process claims them. Thread-safe.
  public interface Queue {
    /// Stores an input. Its turn may not have begun when this returns. Inputs of one conversation
    /// are processed one after the other, in the order in which they were stored.
    ///
    /// @return false, without effect, if an input of that id waits
    /// @throws ConversationNotFoundException when the conversation belongs to another principal
    /// @throws IllegalStateException when too many wait in that conversation
    /// @throws RuntimeException when it cannot be stored
    boolean submit(String conversation, Input input);

    /// Cancels the turn that runs in that conversation, or that an input is about to begin: the
    /// model is cut off, calls that may be cancelled are, and every call has its result. Without
    /// effect if there is none.
    void cancel(String conversation);
  }

  /// How processes share the conversations of an agent.
  ///
  /// @param hold the duration of a process's lease on a conversation unless renewed: so long after
  ///   its death another process continues; at least a second
  /// @param turns that run concurrently in one process, at least 1
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

  /// A process that runs turns of an agent's conversations.
  public interface Worker extends AutoCloseable {
    /// The number of turns that run here now.
    int running();

    /// Accepts nothing more and hands running turns over between two effects; waits for that for at
    /// most 30 seconds.
    @Override
    void close();
  }

  /// The states of the sources of its tools, such as MCP servers.
  public List<ToolRegistry.Source.State> toolSources() {
    return parts.executor().sources();
  }

  /// Prepares its memory for conversations of several principals, and returns what the owner of a
  /// host should know of it, sentences: hosts that several people reach call it when they start.
  ///
  /// @throws RuntimeException when its memory cannot be read or written
  public List<String> admitPrincipals() {
    return parts.memory().forPrincipals();
  }

  /// Its memory, used by the agent itself, for the local user.
  public Memory memory() {
    return parts.memory().blocks();
  }

  /// Its memory of that principal, used by the agent itself.
  public Memory memory(String principal) {
    return parts.memory().of(principal).blocks();
  }

  /// Its memory for the local user, used by a person, who may do everything.
  ///
  /// @param person the name in the log of edits
  public Memory memoryInHandsOf(String person) {
    return memoryInHandsOf(person, PrincipalName.LOCAL);
  }

  /// Its memory of that principal, used by a person, who may do everything.
  ///
  /// @param person the name in the log of edits
  public Memory memoryInHandsOf(String person, String principal) {
    return parts.memory().inHandsOf(person, principal, parts.time());
  }

  /// The store of its conversations, null if they last as long as this process.
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
    return new StoredConversations(
            name(), store, parts.memory().store(), memory().scope(), parts.time())
        .withCallRecords(callRecords)
        .withMessages(messages);
  }

  /// Notes that messages to or from it wait there, so that a principal is forgotten there too.
  void hasMessages(MessageRouter router) {
    messages.add(router);
  }

  /// Notes that the records of its calls are in that folder, so that they are deleted with their
  /// conversations.
  public void recordCallsIn(Path folder) {
    callRecords.add(folder);
  }

  /// Lets go of its conversations with other agents for that principal.
  void forgetTalks(String principal) {
    open.forgetTalks(principal);
  }

  /// Adds a listener of what its models use in this process, called after each request.
  public void onModelUse(Consumer<Prices.Use> listener) {
    parts.spending().listen(listener);
  }

  /// The name of the model that it talks with.
  public String model() {
    return parts.model().name();
  }

  /// Whether a person is asked for consent within the turn, which waits.
  public boolean asksInline() {
    return parts.asksInline();
  }

  /// Whether a new message of the user denies waiting calls; otherwise it is refused.
  public boolean deniesPending() {
    return parts.denyPending();
  }

  /// Whether requests for consent are for others than the user of the conversation.
  public boolean asksApprover() {
    return parts.asksApprover();
  }

  /// What an MCP server offers to everyone who may call its tools: `memory`, `prompt`.
  public Set<String> sharedOverMcp() {
    return parts.sharedOverMcp();
  }

  /// Shows messages to the users of its open conversations; for a router of your own.
  public MessageRouter users() {
    return open::deliver;
  }

  /// Offers the model these targets of the built-in tool `send_message` from now on; without effect
  /// if the agent does not have it.
  public void offerTargets(List<MessageRouter.Target> targets) {
    Tool offered = parts.executor().tools().find("send_message");
    if (offered != null && parts.memory().hasBuiltIn(offered.name())) {
      Tool next = BuiltInTools.of(List.of(offered.name()), List.of(), targets).getFirst();
      parts.executor().tools().replace(next.withDefaultsOf(offered));
    }
  }

  /// Whether it has hooks around model requests, which apply if the agent makes the requests.
  public boolean hasModelHooks() {
    return !parts.hooks().isEmpty();
  }

  /// Whether it has a language model of its own.
  public boolean hasModel() {
    return !(parts.model() instanceof NoModel);
  }

  /// Its clock.
  public Time time() {
    return parts.time();
  }

  /// The executor of its calls.
  public ToolExecutor executor() {
    return parts.executor();
  }
}
