package dev.switchboard.server;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationDirectory.Summary;
import dev.switchboard.execution.ConversationQueue;
import dev.switchboard.execution.ConversationQueue.Announcement;
import dev.switchboard.execution.ConversationQueue.Standing;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ToolExecutor.BreakerState;
import dev.switchboard.execution.host.LeaseTerms;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.server.access.Problem;
import dev.switchboard.state.AgentState;
import dev.switchboard.state.Cell;
import dev.switchboard.state.Position;
import dev.switchboard.state.Selection;
import dev.switchboard.tool.Event;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// An agent of the server, and its conversations that are open there.
///
/// Thread-safe.
final class ServedAgent {
  private final Agent agent;
  private final ConversationStore store;
  private final @Nullable ConversationQueue queue; // null if turns run here
  private final Notices notices;
  private final EventWatcher counting;
  private final List<EventWatcher> watchers;
  private final ConversationOptions options;
  private final TurnRoom room;
  private final WorkerNotices news;
  private final OpenConversations conversations = new OpenConversations();
  private final DueWork due;
  private final ConversationQueue.Listening listening;
  private volatile boolean draining;

  /// @param notices receive turns that begin, end or wait
  /// @param counting receives events that this process adds
  /// @param watchers receive events too, and if workers run the turns, those about a person's
  ///   consent
  /// @param hold the terms on which this process holds conversations
  /// @param room for all turns that run in the server
  /// @param workers whether workers run the turns
  /// @throws IllegalArgumentException when the agent has no store, or none that workers share
  ServedAgent(
      Agent agent,
      Notices notices,
      EventWatcher counting,
      List<EventWatcher> watchers,
      LeaseTerms hold,
      TurnRoom room,
      boolean workers) {
    ConversationStore kept = agent.store();
    if (kept == null) {
      throw new IllegalArgumentException(
          "agent '%s' has no store: give it one, such as `.store(new InProcessConversations())`,"
                  .formatted(agent.name())
              + " which lasts as long as the process");
    }
    queue = workers ? kept.queue() : null;
    if (workers && queue == null) {
      throw new IllegalArgumentException(
          "agent '%s' has no store that workers share: open it with Storage.shared"
              .formatted(agent.name()));
    }
    this.agent = agent;
    news = new WorkerNotices(this, agent.time());
    this.store = kept;
    due = new DueWork(agent, kept, conversations);
    this.notices = notices;
    this.room = room;
    this.counting = counting;
    this.watchers = List.copyOf(watchers);
    options = ConversationOptions.NONE.withHold(hold);
    listening = queue == null ? () -> {} : queue.listen(this::handle);
  }

  /// Handles an announcement of this process or another.
  private void handle(Announcement what) {
    LiveConversation live = conversations.find(what.conversation());
    if (live != null) {
      live.handle(what.topic());
    }
    news.handle(what);
  }

  /// The queue of inputs for workers, null if turns run here.
  @Nullable ConversationQueue queue() {
    return queue;
  }

  /// Reads the state of conversations that have readers and run in other processes, whose
  /// announcements may be lost.
  void look() {
    if (queue == null) {
      return;
    }
    Map<LiveConversation, Long> looks = new HashMap<>();
    for (LiveConversation live : conversations.all()) {
      if (live.feed().isRead()) {
        looks.put(live, live.feed().look());
      }
    }
    Map<String, Standing> standing =
        looks.isEmpty()
            ? Map.of()
            : queue.standing(looks.keySet().stream().map(LiveConversation::id).toList());
    looks.forEach((live, look) -> live.feed().stands(look, standing.get(live.id())));
  }

  /// How many conversations wait for a worker.
  int due() {
    return queue == null ? 0 : queue.due();
  }

  Agent agent() {
    return agent;
  }

  String name() {
    return agent.name();
  }

  /// The room for all turns that run in the server.
  TurnRoom room() {
    return room;
  }

  /// Whether requests are for others than the user of the conversation.
  boolean asksApprover() {
    return agent.asksApprover();
  }

  ToolRegistry tools() {
    return agent.executor().tools();
  }

  BreakerState breaker(String tool) {
    return agent.executor().breaker(tool);
  }

  ConversationStore store() {
    return store;
  }

  /// The conversation of that id as the store has it, null if there is none.
  @Nullable Summary find(String id) {
    return store.directory().conversation(id);
  }

  /// The conversation of that id, open.
  ///
  /// @throws Problem `not_found` when there is none
  LiveConversation open(String id) {
    Summary stored = find(id);
    if (stored == null) {
      throw Problem.notFound();
    }
    return open(stored);
  }

  /// That conversation, opened. An open one under its id is another one if that was deleted.
  LiveConversation open(Summary stored) {
    LiveConversation live =
        conversations.open(stored, () -> new LiveConversation(this, stored, options));
    // Others add events too: workers, and hosts in this process such as MCP sessions.
    if (queue != null || !live.isRunning()) {
      live.feed().reaches(stored.events());
    }
    if (draining) {
      live.drain();
    }
    return live;
  }

  /// Checks that its store can be written.
  ///
  /// @throws RuntimeException the store's, if it cannot be written, or not in that time
  void checkStore(Duration most) {
    // Replaces the agent's state by itself.
    Cell<AgentState> kept = store.agent();
    boolean unused =
        store.within(
            most,
            () -> {
              Cell.Version<AgentState> now = kept.load();
              return kept.replace(now, now.value());
            });
  }

  /// Handles an event of a conversation that this process has added and stored.
  void handleStored(String conversation, Event.Logged event) {
    counts(conversation, event);
    watch(conversation, event);
  }

  /// Counts an event of a conversation that this process has added.
  void counts(String conversation, Event.Logged event) {
    counting.handle(this, conversation, event);
  }

  /// Passes on an event of a conversation, from any process.
  void watch(String conversation, Event.Logged event) {
    watchers.forEach(watcher -> watcher.handle(this, conversation, event));
  }

  /// Whether a page listens for changes.
  boolean isWatched() {
    return notices.isRead();
  }

  /// Forgets a deleted conversation.
  void forget(String conversation) {
    notices.forget(conversation);
  }

  /// Notes that a turn began, ended or waits.
  void changed(String conversation) {
    notices.changed(this, conversation);
    due.changed(conversation, this::open);
  }

  /// The owner of a conversation, from the store if it is not open; null for none.
  @Nullable String principal(String id) {
    LiveConversation live = conversations.find(id);
    if (live != null) {
      return live.principal();
    }
    Summary known = find(id);
    return known == null ? null : known.header().principal();
  }

  /// The owners of the conversations of these requests, if they have one: one read of the store.
  Map<String, String> principals(List<ConsentRequest> requests) {
    return store
        .directory()
        .principals(
            requests.stream().map(ConsentRequest::conversation).collect(Collectors.toSet()));
  }

  /// Whether a turn runs in that conversation.
  boolean isRunning(String id) {
    if (queue != null) {
      Standing now = queue.standing(List.of(id)).get(id);
      return now != null && now.isRunning();
    }
    LiveConversation live = conversations.find(id);
    return live != null && live.isRunning();
  }

  /// Whether a turn ran in that conversation when the store was asked for it, or runs here.
  boolean isRunning(Summary conversation) {
    return queue == null ? isRunning(conversation.id()) : conversation.running();
  }

  /// The selected unanswered requests, in the order in which they expire: of the store, and of
  /// handlers that run here.
  List<ConsentRequest> waiting(Selection selection) {
    Stream<ConsentRequest> ofHandlers =
        conversations.all().stream()
            .filter(live -> selection.isOf(Objects.requireNonNullElse(live.principal(), "")))
            .flatMap(live -> live.ofHandlers().waiting().stream());
    return selection.of(
        Stream.concat(store.directory().waiting(selection).stream(), ofHandlers),
        Position::of,
        Position.ASCENDING);
  }

  /// The unanswered request of that call in a conversation, null if there is none.
  @Nullable ConsentRequest waiting(String conversation, String call) {
    LiveConversation live = conversations.find(conversation);
    Stream<ConsentRequest> ofHandlers =
        live == null ? Stream.empty() : live.ofHandlers().waiting().stream();
    return Stream.concat(store.load(conversation).state().value().unanswered().stream(), ofHandlers)
        .filter(request -> request.id().equals(call))
        .findFirst()
        .orElse(null);
  }

  /// The conversations in which a turn runs in this process.
  Stream<Summary> running() {
    return conversations.all().stream()
        .filter(LiveConversation::isRunning)
        .flatMap(live -> Stream.ofNullable(find(live.id())));
  }

  /// Its conversations that are open here.
  OpenConversations conversations() {
    return conversations;
  }

  /// Resumes the work that no client requests, if turns run here.
  ///
  /// @param ahead how far into the future: the duration of a lease, for what an earlier server held
  void resumeDue(Duration ahead) {
    if (queue == null) {
      due.resume(ahead, this::open);
    }
  }

  /// Prevents new turns, and ends the streams.
  void drain() {
    draining = true;
    listening.close();
    conversations.all().forEach(LiveConversation::drain);
  }
}
