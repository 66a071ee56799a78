package dev.switchboard.execution;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.mount.Bound;
import dev.switchboard.mount.FullException;
import dev.switchboard.mount.Places;
import dev.switchboard.state.AgentState;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.Selection;
import dev.switchboard.text.PrincipalName;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Conversations that last as long as their process: for a host without a database, and for tests
/// of restarts. Thread-safe.
public final class InProcessConversations implements ConversationStore, ConversationDirectory {
  private final Map<String, InProcessConversation> conversations = new ConcurrentHashMap<>();
  private final Cell<AgentState> agent = new InProcessConversation.Latest<>(AgentState.NEW);
  private final InProcessKeys keys = new InProcessKeys();
  private final RequestIndex requests = new RequestIndex();
  private final AtomicLong characters = new AtomicLong(); // of all lines and events
  private final Places places;
  private final long mostCharacters;
  private final Time time;
  private final BiConsumer<String, String> replaced; // receives principals and ids

  /// An empty store.
  public InProcessConversations() {
    this(Integer.MAX_VALUE, Long.MAX_VALUE);
  }

  /// An empty store with at most so many conversations, half of them of one principal, which use at
  /// most an eighth of the process's maximum memory: a new one replaces the idle one of its
  /// principal that was written to longest ago.
  public InProcessConversations(int most) {
    this(most, (principal, id) -> {});
  }

  /// As the other.
  ///
  /// @param replaced receives the principal and the id of each that was replaced
  public InProcessConversations(int most, BiConsumer<String, String> replaced) {
    this(most, Runtime.getRuntime().maxMemory() / 8, Time.SYSTEM, replaced);
  }

  /// An empty store with that clock.
  public InProcessConversations(Time time) {
    this(Integer.MAX_VALUE, Long.MAX_VALUE, time, (principal, id) -> {});
  }

  InProcessConversations(int most, long mostCharacters) {
    this(most, mostCharacters, Time.SYSTEM, (principal, id) -> {});
  }

  private InProcessConversations(
      int most, long mostCharacters, Time time, BiConsumer<String, String> replaced) {
    this.replaced = replaced;
    places = new Places(Bound.CONVERSATIONS, most);
    this.mostCharacters = mostCharacters;
    this.time = time;
  }

  /// A conversation that may go, as it is at a moment: it is used while others are compared with
  /// it.
  private record Idle(String id, boolean own, Instant lastUse) {
    static Idle of(String id, InProcessConversation entry, String owner) {
      return new Idle(id, entry.owner().equals(owner), entry.lastUse());
    }
  }

  private InProcessConversation opened(String id, String owner) {
    InProcessConversation known = conversations.get(id);
    return known == null ? added(id, owner) : known;
  }

  private synchronized InProcessConversation added(String id, String owner) {
    InProcessConversation known = conversations.get(id);
    if (known != null) {
      return known;
    }
    makeRoom(owner);
    InProcessConversation conversation = empty(id);
    conversation.occupy(places.enter(owner));
    conversations.put(id, conversation);
    return conversation;
  }

  private InProcessConversation empty(String id) {
    return new InProcessConversation(id, characters::addAndGet);
  }

  /// The conversation of that id, empty if it does not exist.
  private InProcessConversation found(String id) {
    InProcessConversation known = conversations.get(id);
    return known == null ? empty(id) : known;
  }

  private boolean isMemoryFull() {
    return characters.get() >= mostCharacters;
  }

  private boolean isFull() {
    return isMemoryFull() || places.full("") == Places.Full.ALL;
  }

  private boolean isFullFor(String owner) {
    return isMemoryFull() || places.isFull(owner);
  }

  /// Makes room for one more conversation of that principal, by its own idle ones, the oldest
  /// first, and those of principals that use more than half of the memory.
  ///
  /// @param owner [PrincipalName#LOCAL] is not refused: it is alone
  /// @throws FullException when there is no room left for that principal
  private void makeRoom(String owner) {
    if (!isFullFor(owner)) {
      return;
    }
    Map<Boolean, List<String>> idle = idle(owner);
    // Several at once, since finding the oldest is slow.
    int some = Math.max(1, places.of(owner) / 100);
    for (String id : idle.getOrDefault(true, List.of())) {
      if (some-- <= 0 && !isFull()) {
        break;
      }
      replace(id);
    }
    for (String id : idle.getOrDefault(false, List.of())) {
      if (!isFull()) {
        break;
      }
      replace(id);
    }
    if (!owner.equals(PrincipalName.LOCAL) && isFullFor(owner)) {
      throw new FullException("There are too many conversations that are not stored.");
    }
  }

  /// The conversations that may go, the oldest first: those of that principal under true, those of
  /// heavy ones under false.
  private Map<Boolean, List<String>> idle(String owner) {
    Set<String> heavy = heavy();
    return conversations.entrySet().stream()
        .filter(entry -> entry.getValue().state().due() == null)
        .filter(entry -> {
          String other = entry.getValue().owner();
          return other.equals(owner) || heavy.contains(Places.holder(other));
        })
        .map(entry -> Idle.of(entry.getKey(), entry.getValue(), owner))
        .sorted(Comparator.comparing(Idle::lastUse))
        .collect(
            Collectors.partitioningBy(
                Idle::own, Collectors.mapping(Idle::id, Collectors.toList())));
  }

  /// The principals that use more than half of the memory for all, alone or with the other users of
  /// their token, once that is used up.
  private Set<String> heavy() {
    if (!isMemoryFull()) {
      return Set.of();
    }
    Map<String, Long> used =
        conversations.values().stream()
            .collect(
                Collectors.groupingBy(
                    entry -> Places.holder(entry.owner()),
                    Collectors.summingLong(InProcessConversation::characters)));
    used.values().removeIf(sum -> sum <= mostCharacters / 2);
    return used.keySet();
  }

  private void replace(String id) {
    InProcessConversation gone = forget(id);
    if (gone != null) {
      replaced.accept(gone.owner(), id);
    }
  }

  private @Nullable InProcessConversation forget(String id) {
    InProcessConversation known = conversations.remove(id);
    if (known != null) {
      synchronized (known) {
        known.occupy(null);
        characters.addAndGet(-known.characters());
        requests.replace(known.owner(), known.state().unanswered(), List.of());
      }
    }
    return known;
  }

  /// The oldest key of the same principal makes room.
  @Override
  public String keyed(String principal, String key, String conversation, Instant since) {
    return keys.keyed(principal, key, conversation, since, time.now());
  }

  @Override
  public boolean create(String id, Header header) {
    InProcessConversation conversation = opened(id, header.principal());
    synchronized (conversation) {
      boolean begun = conversation.begin(header, time.now());
      if (begun && conversations.get(id) == conversation) {
        // A write that was refused may have added it for another principal.
        conversation.occupy(places.enter(header.principal()));
      }
      return begun;
    }
  }

  @Override
  public Cell<ConversationState> state(String conversation) {
    return new Cell<>() {
      @Override
      public Version<ConversationState> load() {
        return found(conversation).load().state();
      }

      @Override
      public boolean replace(Version<ConversationState> expected, ConversationState next) {
        return write(conversation, 0, Writing.of(expected, next)).outcome() == Outcome.DONE;
      }
    };
  }

  @Override
  public Loaded load(String conversation) {
    return found(conversation).load();
  }

  @Override
  public Cell<AgentState> agent() {
    return agent;
  }

  @Override
  public @Nullable SettledCall settledCall(String conversation, String id) {
    return found(conversation).settledCall(id);
  }

  @Override
  public List<SettledCall> settledCalls(String conversation, int turn) {
    return found(conversation).settledCalls(turn);
  }

  @Override
  public Written write(String id, long fence, Writing writing) {
    InProcessConversation conversation = opened(id, writing.owner());
    return conversation.write(
        fence,
        writing,
        time.now(),
        (before, after) -> {
          // One that was forgotten meanwhile would stay in the list.
          if (conversations.get(id) == conversation) {
            requests.replace(conversation.owner(), before, after);
          }
        });
  }

  @Override
  public boolean gathers() {
    return true;
  }

  @Override
  public Time time() {
    return time;
  }

  @Override
  public List<Event.Logged> events(String conversation, long after, int most) {
    return found(conversation).events(after, most);
  }

  @Override
  public List<Line> lines(String conversation, int most) {
    return found(conversation).lines(most);
  }

  @Override
  public ConversationDirectory directory() {
    return this;
  }

  @Override
  public List<ConsentRequest> waiting(Selection selection) {
    return requests.selected(selection);
  }

  @Override
  public List<Summary> conversations() {
    return conversations.keySet().stream()
        .sorted()
        .flatMap(id -> Stream.ofNullable(conversation(id)))
        .toList();
  }

  @Override
  public @Nullable Summary conversation(String id) {
    return found(id).summary();
  }

  @Override
  public List<String> due(Instant moment, int most) {
    return conversations.entrySet().stream()
        .flatMap(entry ->
            Stream.ofNullable(entry.getValue().state().due())
                .filter(due -> !due.isAfter(moment))
                .map(due -> Map.entry(entry.getKey(), due)))
        .sorted(Map.Entry.comparingByValue())
        .limit(most)
        .map(Map.Entry::getKey)
        .toList();
  }

  @Override
  public boolean delete(String conversation) {
    InProcessConversation gone = forget(conversation);
    keys.forget(conversation);
    return gone != null && !gone.isEmpty();
  }
}
