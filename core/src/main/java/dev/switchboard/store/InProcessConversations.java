package dev.switchboard.store;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.execution.ConversationNotFoundException;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.json.Json;
import dev.switchboard.mount.Bound;
import dev.switchboard.mount.FullException;
import dev.switchboard.state.AgentState;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.Selection;
import dev.switchboard.text.PrincipalName;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Conversations that last as long as their process: for a host without a database, and for tests
/// of restarts. Thread-safe.
public final class InProcessConversations implements ConversationStore {
  private final Map<String, Kept> conversations = new ConcurrentHashMap<>();
  private final Place<AgentState> agent = new Place<>(AgentState.NEW);
  private final Map<String, Map<String, Keyed>> keys =
      new HashMap<>(); // by principal; guarded by it
  private final RequestIndex requests = new RequestIndex();
  private final AtomicLong characters = new AtomicLong(); // of all lines and events
  private final int most;
  private final long mostCharacters;
  private final Time time;

  /// An empty store.
  public InProcessConversations() {
    this(Integer.MAX_VALUE, Long.MAX_VALUE);
  }

  /// An empty store with at most so many conversations, half of them of one principal, which use at
  /// most an eighth of the process's maximum memory: a new one replaces the idle one of its
  /// principal that was written to longest ago.
  public InProcessConversations(int most) {
    this(most, Runtime.getRuntime().maxMemory() / 8);
  }

  /// An empty store with that clock.
  public InProcessConversations(Time time) {
    this(Integer.MAX_VALUE, Long.MAX_VALUE, time);
  }

  InProcessConversations(int most, long mostCharacters) {
    this(most, mostCharacters, Time.SYSTEM);
  }

  private InProcessConversations(int most, long mostCharacters, Time time) {
    this.most = most;
    this.mostCharacters = mostCharacters;
    this.time = time;
  }

  /// The conversation that a key stands for.
  private record Keyed(String conversation, Instant created) {}

  /// The data of a conversation; guarded by itself, except its state.
  private static final class Kept {
    private final Place<ConversationState> state = new Place<>(ConversationState.NEW);
    private final Map<String, Line> lines = new LinkedHashMap<>();
    private final Map<String, CallOfTurn> calls = new LinkedHashMap<>();
    private final List<Event.Logged> events = new ArrayList<>();
    private final Set<String> keys = new HashSet<>(); // of events
    private Header header = Header.NONE;
    private @Nullable Instant started;
    private @Nullable Instant last;
    private long characters; // of lines and events

    synchronized String owner() {
      return header.principal();
    }

    synchronized long characters() {
      return characters;
    }

    void begin(Instant now) {
      started = started == null ? now : started;
    }

    void write(Instant now) {
      begin(now);
      last = now;
    }

    synchronized Instant lastUse() {
      Instant used = last == null ? started : last;
      return used == null ? Instant.EPOCH : used;
    }

    boolean isEmpty() {
      return started == null && state.load().number() == 0;
    }

    void check(String conversation, long fence, Writing writing) {
      if (isEmpty()) {
        header = Header.of(writing.owner());
      }
      ConversationNotFoundException.refuseOthers(
          conversation, header.principal(), writing.principal());
      if (fence != 0 && state.load().value().lease().fence() != fence) {
        throw new ConversationConflictException(conversation, null);
      }
    }
  }

  private static final class Place<S> implements Cell<S> {
    private final AtomicReference<Version<S>> latest;

    Place(S first) {
      latest = new AtomicReference<>(new Version<>(0, first));
    }

    @Override
    public Version<S> load() {
      return latest.get();
    }

    @Override
    public boolean replace(Version<S> expected, S next) {
      Version<S> known = latest.get();
      return known.number() == expected.number() && latest.compareAndSet(known, known.next(next));
    }
  }

  /// A conversation that may go, as it is at a moment: it is used while others are compared with
  /// it.
  private record Idle(String id, boolean own, Instant lastUse) {
    static Idle of(String id, Kept kept, String owner) {
      return new Idle(id, isOf(owner, kept), kept.lastUse());
    }
  }

  private Kept kept(String conversation, String owner) {
    Kept known = conversations.get(conversation);
    if (known != null) {
      return known;
    }
    makeRoom(owner);
    return conversations.computeIfAbsent(conversation, id -> new Kept());
  }

  /// The data of a conversation, empty if it does not exist.
  private Kept found(String conversation) {
    Kept kept = conversations.get(conversation);
    return kept == null ? new Kept() : kept;
  }

  private boolean isFull() {
    return conversations.size() >= most || characters.get() >= mostCharacters;
  }

  /// Makes room for one more conversation of that principal, by its own idle ones, the oldest
  /// first, and those of principals that use more than half of the memory.
  ///
  /// @param owner [PrincipalName#LOCAL] has no share: it is alone
  /// @throws FullException when there is no room left for that principal
  private synchronized void makeRoom(String owner) {
    boolean alone = owner.equals(PrincipalName.LOCAL);
    int each = alone ? most : Math.max(1, most / 2);
    if (!isFull() && conversations.size() < each) {
      return;
    }
    Set<String> heavy = heavy();
    Map<Boolean, List<String>> idle =
        conversations.entrySet().stream()
            .filter(one -> one.getValue().state.load().value().due() == null)
            .filter(one -> isOf(owner, one.getValue()) || heavy.contains(one.getValue().owner()))
            .map(one -> Idle.of(one.getKey(), one.getValue(), owner))
            .sorted(Comparator.comparing(Idle::lastUse))
            .collect(
                Collectors.partitioningBy(
                    Idle::own, Collectors.mapping(Idle::id, Collectors.toList())));
    // Several at once, since finding the oldest is slow.
    int own = owned(owner);
    int some = own < each && !isFull() ? 0 : Math.max(1, Math.min(most, own) / 100);
    for (String id : idle.getOrDefault(true, List.of())) {
      if (some-- <= 0 && !isFull()) {
        break;
      }
      own--;
      Kept unused = forget(id);
    }
    for (String id : idle.getOrDefault(false, List.of())) {
      if (!isFull()) {
        break;
      }
      Kept unused = forget(id);
    }
    if (!alone && (isFull() || own >= each)) {
      throw new FullException("There are too many conversations that are not stored.");
    }
  }

  private int owned(String owner) {
    return (int) conversations.values().stream().filter(kept -> isOf(owner, kept)).count();
  }

  private static boolean isOf(String owner, Kept kept) {
    return kept.owner().equals(owner);
  }

  /// The principals that use more than half of the memory for all, once that is used up.
  private Set<String> heavy() {
    if (characters.get() < mostCharacters) {
      return Set.of();
    }
    Map<String, Long> used =
        conversations.values().stream()
            .collect(Collectors.groupingBy(Kept::owner, Collectors.summingLong(Kept::characters)));
    used.values().removeIf(sum -> sum <= mostCharacters / 2);
    return used.keySet();
  }

  private @Nullable Kept forget(String conversation) {
    Kept kept = conversations.remove(conversation);
    if (kept != null) {
      synchronized (kept) {
        count(kept, -kept.characters);
        requests.replace(kept.owner(), kept.state.load().value().unanswered(), List.of());
      }
    }
    return kept;
  }

  private void count(Kept kept, long more) {
    kept.characters += more;
    characters.addAndGet(more);
  }

  /// The oldest key of the same principal makes room.
  @Override
  public String keyed(String principal, String key, String conversation, Instant since) {
    synchronized (keys) {
      keys.values().forEach(own -> own.values().removeIf(known -> known.created.isBefore(since)));
      keys.values().removeIf(Map::isEmpty);
      Map<String, Keyed> own = keys.computeIfAbsent(principal, name -> new LinkedHashMap<>());
      Keyed known = own.get(key);
      if (known != null) {
        return known.conversation;
      }
      int all = keys.values().stream().mapToInt(Map::size).sum();
      if (!own.isEmpty() && (own.size() >= Bound.KEYS.each() || all >= Bound.KEYS.all())) {
        own.remove(own.keySet().iterator().next());
      } else if (all >= Bound.KEYS.all()) {
        return conversation;
      }
      own.put(key, new Keyed(conversation, time.now()));
      return conversation;
    }
  }

  @Override
  public boolean create(String conversation, Header header) {
    if (!conversations.containsKey(conversation)) {
      makeRoom(header.principal());
    }
    Kept kept = conversations.computeIfAbsent(conversation, id -> new Kept());
    synchronized (kept) {
      if (!kept.isEmpty()) {
        return false;
      }
      kept.header = header;
      kept.started = time.now();
      return true;
    }
  }

  @Override
  public Cell<ConversationState> state(String conversation) {
    return new Cell<>() {
      @Override
      public Version<ConversationState> load() {
        return found(conversation).state.load();
      }

      @Override
      public boolean replace(Version<ConversationState> expected, ConversationState next) {
        return write(conversation, 0, Writing.of(expected, next)).outcome() == Outcome.DONE;
      }
    };
  }

  @Override
  public Loaded load(String conversation) {
    Kept kept = found(conversation);
    synchronized (kept) {
      return new Loaded(kept.state.load(), kept.isEmpty() ? null : kept.header.principal());
    }
  }

  @Override
  public Cell<AgentState> agent() {
    return agent;
  }

  @Override
  public @Nullable SettledCall settledCall(String conversation, String id) {
    Kept kept = found(conversation);
    synchronized (kept) {
      CallOfTurn settled = kept.calls.get(id);
      return settled == null ? null : settled.call();
    }
  }

  @Override
  public List<SettledCall> settledCalls(String conversation, int turn) {
    Kept kept = found(conversation);
    synchronized (kept) {
      return kept.calls.values().stream()
          .filter(settled -> settled.turn() == turn)
          .map(CallOfTurn::call)
          .toList();
    }
  }

  @Override
  public Written write(String conversation, long fence, Writing writing) {
    Kept kept = kept(conversation, writing.owner());
    synchronized (kept) {
      kept.check(conversation, fence, writing);
      if (writing.lines().stream().anyMatch(line -> kept.lines.containsKey(line.key()))) {
        return new Written(Outcome.KNOWN, List.of());
      }
      Replacement state = writing.state();
      List<ConsentRequest> asked = kept.state.load().value().unanswered();
      if (state != null && !kept.state.replace(state.expected(), state.next())) {
        return new Written(Outcome.STALE, List.of());
      }
      if (state != null) {
        // One that was forgotten meanwhile would stay in the list.
        if (conversations.get(conversation) == kept) {
          requests.replace(kept.owner(), asked, state.next().unanswered());
        }
        kept.begin(time.now());
      }
      return new Written(Outcome.DONE, added(kept, writing));
    }
  }

  /// The events that were added beside lines and calls.
  private List<Event.Logged> added(Kept kept, Writing writing) {
    for (Line line : writing.lines()) {
      kept.lines.put(line.key(), new Line(line.key(), line.entry().withoutTree()));
      count(kept, line.entry().text().length());
    }
    boolean any = !writing.lines().isEmpty();
    for (CallOfTurn settled : writing.calls()) {
      any |= kept.calls.putIfAbsent(settled.call().call().id(), settled) == null;
    }
    List<Event.Logged> told = new ArrayList<>();
    for (Event.Logged event : writing.events()) {
      if (event.key() == null || kept.keys.add(event.key())) {
        count(kept, event.event().text().length());
        Event.Logged numbered = event.numbered(kept.events.size() + 1);
        kept.events.add(light(numbered));
        told.add(numbered);
      }
    }
    if (any || !told.isEmpty()) {
      kept.write(time.now());
    }
    return told;
  }

  private static Event.Logged light(Event.Logged event) {
    Json text = event.event().withoutTree();
    return new Event.Logged(event.number(), event.key(), event.run(), event.at(), text);
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
    Kept kept = found(conversation);
    synchronized (kept) {
      int from = (int) Math.min(after, kept.events.size());
      int to = (int) Math.min((long) from + most, kept.events.size());
      return List.copyOf(kept.events.subList(from, to));
    }
  }

  @Override
  public List<Line> lines(String conversation, int most) {
    Kept kept = found(conversation);
    synchronized (kept) {
      return kept.lines.values().stream().skip(Math.max(0, kept.lines.size() - most)).toList();
    }
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
    Kept kept = found(id);
    synchronized (kept) {
      ConversationState state = kept.state.load().value();
      return kept.isEmpty()
          ? null
          : new Summary(
              id,
              kept.started,
              kept.last,
              state.turn(),
              kept.calls.size(),
              state.unanswered().size(),
              kept.events.size(),
              kept.header,
              state.lease().until() != null,
              state.restarts().areTooMany());
    }
  }

  @Override
  public List<String> due(Instant moment, int most) {
    return conversations.entrySet().stream()
        .flatMap(one ->
            Stream.ofNullable(one.getValue().state.load().value().due())
                .filter(due -> !due.isAfter(moment))
                .map(due -> Map.entry(one.getKey(), due)))
        .sorted(Map.Entry.comparingByValue())
        .limit(most)
        .map(Map.Entry::getKey)
        .toList();
  }

  @Override
  public boolean delete(String conversation) {
    Kept gone = forget(conversation);
    return gone != null && !gone.isEmpty();
  }
}
