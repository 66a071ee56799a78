package dev.switchboard.server;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationDirectory.Summary;
import dev.switchboard.execution.ConversationLease;
import dev.switchboard.execution.ConversationQueue;
import dev.switchboard.execution.ConversationQueue.Announcement;
import dev.switchboard.execution.ConversationQueue.Standing;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ToolExecutor.BreakerState;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.server.access.Problem;
import dev.switchboard.state.AgentState;
import dev.switchboard.state.Cell;
import dev.switchboard.state.Position;
import dev.switchboard.state.Selection;
import dev.switchboard.text.Thrown;
import dev.switchboard.tool.Event;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// An agent of the server, and its conversations that are open there.
///
/// Thread-safe.
final class ServedAgent {
  private static final System.Logger LOG = System.getLogger(ServedAgent.class.getName());
  private static final long IDLE = Duration.ofMinutes(15).toNanos();
  private static final long SHORTLY = Duration.ofSeconds(2).toNanos();
  // An open conversation is in memory several times: as stored, and as the model reads it.
  private static final int MOST_OPEN = 5_000;
  private static final long MOST_CHARACTERS = Runtime.getRuntime().maxMemory() / 16;
  private static final long PAUSE = Duration.ofMinutes(1).toNanos();
  // Of turns that no client requests, so that those of clients find the store and memory free.
  private static final int MOST_TAKEN_UP = 32;
  private static final int MOST_DUE = 1_000;

  private final Agent agent;
  private final ConversationStore store;
  private final @Nullable ConversationQueue queue; // null if turns run here
  private final Notices notices;
  private final EventWatcher counting;
  private final List<EventWatcher> watchers;
  private final ConversationOptions options;
  private final TurnRoom room;
  private final NewsOfWorkers news;
  private final Map<String, LiveConversation> open = new ConcurrentHashMap<>();
  // When to retry conversations that cannot be read, by id.
  private final Map<String, Long> unreadable = new ConcurrentHashMap<>();
  private final Queue<String> due = new ConcurrentLinkedQueue<>(); // that nobody has requested
  private final Set<String> takenUp = ConcurrentHashMap.newKeySet(); // of those, running
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
      ConversationLease.Terms hold,
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
    news = new NewsOfWorkers(this, agent.time());
    this.store = kept;
    this.notices = notices;
    this.room = room;
    this.counting = counting;
    this.watchers = List.copyOf(watchers);
    options = ConversationOptions.NONE.withHold(hold);
    listening = queue == null ? () -> {} : queue.listen(this::heard);
  }

  /// Handles an announcement of this process or another.
  private void heard(Announcement what) {
    LiveConversation live = open.get(what.conversation());
    if (live != null) {
      live.heard(what.topic());
    }
    news.heard(what);
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
    for (LiveConversation live : open.values()) {
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
    // Not closed before it is touched.
    LiveConversation live =
        Objects.requireNonNull(
            open.compute(
                stored.id(),
                (id, known) -> {
                  if (known != null && !known.isOf(stored)) {
                    known.close();
                  }
                  LiveConversation opened =
                      known != null && known.isOf(stored)
                          ? known
                          : new LiveConversation(this, stored, options);
                  opened.touch();
                  return opened;
                }));
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
  void told(String conversation, Event.Logged event) {
    counts(conversation, event);
    watch(conversation, event);
  }

  /// Counts an event of a conversation that this process has added.
  void counts(String conversation, Event.Logged event) {
    counting.told(this, conversation, event);
  }

  /// Passes on an event of a conversation, from any process.
  void watch(String conversation, Event.Logged event) {
    watchers.forEach(watcher -> watcher.told(this, conversation, event));
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
    if (takenUp.contains(conversation) && !isRunning(conversation)) {
      takenUp.remove(conversation);
      takeUpNext();
    }
  }

  /// The owner of a conversation, from the store if it is not open; null for none.
  @Nullable String principal(String id) {
    LiveConversation live = open.get(id);
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
    LiveConversation live = open.get(id);
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
        open.values().stream()
            .filter(live -> selection.isOf(Objects.requireNonNullElse(live.principal(), "")))
            .flatMap(live -> live.ofHandlers().waiting().stream());
    return selection.of(
        Stream.concat(store.directory().waiting(selection).stream(), ofHandlers),
        Position::of,
        Position.ASCENDING);
  }

  /// The unanswered request of that call in a conversation, null if there is none.
  @Nullable ConsentRequest waiting(String conversation, String call) {
    LiveConversation live = open.get(conversation);
    Stream<ConsentRequest> ofHandlers =
        live == null ? Stream.empty() : live.ofHandlers().waiting().stream();
    return Stream.concat(store.load(conversation).state().value().unanswered().stream(), ofHandlers)
        .filter(request -> request.id().equals(call))
        .findFirst()
        .orElse(null);
  }

  /// The conversations in which a turn runs in this process.
  Stream<Summary> running() {
    return open.values().stream()
        .filter(LiveConversation::isRunning)
        .flatMap(live -> Stream.ofNullable(find(live.id())));
  }

  Collection<LiveConversation> conversations() {
    return List.copyOf(open.values());
  }

  /// Continues what no client requests: interrupted turns, expired requests, stored answers. A
  /// failure of one does not affect the others.
  ///
  /// @param ahead how far into the future: the duration of a lease, for what an earlier server held
  void takeUp(Duration ahead) {
    if (queue != null) {
      return;
    }
    for (LiveConversation live : open.values()) {
      if (live.isToBeTriedAgain()) {
        resume(live.id());
      }
    }
    List<String> now = store.directory().due(agent.time().now().plus(ahead), MOST_DUE);
    due.clear();
    now.stream().filter(id -> !takenUp.contains(id)).forEach(due::add);
    takeUpNext();
  }

  /// Continues what is due, a few at once: each that ends makes room for the next.
  private void takeUpNext() {
    while (takenUp.size() < MOST_TAKEN_UP) {
      String id = due.poll();
      if (id == null) {
        return;
      }
      takenUp.add(id);
      resume(id);
      if (!isRunning(id)) {
        takenUp.remove(id);
      }
    }
  }

  private void resume(String id) {
    LiveConversation known = open.get(id);
    long now = agent.time().nanos();
    if (known == null
        ? now - unreadable.getOrDefault(id, now) < 0
        : known.isRunning() || known.isBroken() && !known.isToBeTriedAgain()) {
      return;
    }
    try {
      open(id).resume();
      unreadable.remove(id);
    } catch (RuntimeException e) {
      unreadable.put(id, now + PAUSE);
      Thrown.warn(LOG, Thrown.in(name(), id, "it cannot be gone on with"), e);
    }
  }

  /// Closes conversations that were unused for a while; if there are many, or they use much memory,
  /// the least recently used sooner.
  void letGo() {
    open.keySet().forEach(id -> letGo(id, IDLE));
    long characters = 0;
    int count = 0;
    for (LiveConversation live : latestUsedFirst()) {
      // As text, and once more in a running request.
      characters += live.feed().characters() + 3 * live.fileBytes();
      count++;
      if (count > MOST_OPEN || characters > MOST_CHARACTERS) {
        letGo(live.id(), SHORTLY);
      }
    }
  }

  private List<LiveConversation> latestUsedFirst() {
    // Each is read once, since the unused time changes meanwhile.
    record Unused(LiveConversation live, long nanos) {}
    return open.values().stream()
        .map(live -> new Unused(live, live.unused()))
        .sorted(Comparator.comparingLong(Unused::nanos))
        .map(Unused::live)
        .toList();
  }

  private void letGo(String id, long unused) {
    LiveConversation unusedRest =
        open.computeIfPresent(
            id,
            (name, live) -> {
              boolean idle = live.unused() > unused && !live.isBroken();
              if (!idle || live.isRunningHere() || live.feed().isRead()) {
                return live;
              }
              live.close();
              return null;
            });
  }

  /// Prevents new turns, and ends the streams.
  void drain() {
    draining = true;
    listening.close();
    open.values().forEach(LiveConversation::drain);
  }

  /// Closes a conversation and forgets that it was open.
  void close(LiveConversation live) {
    if (open.remove(live.id(), live)) {
      live.close();
    }
  }
}
