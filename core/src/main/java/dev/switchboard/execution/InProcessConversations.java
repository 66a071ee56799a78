package dev.switchboard.execution;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.json.Json;
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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Conversations that last as long as their process: for a host without a database, and for tests
/// of restarts. Thread-safe.
public final class InProcessConversations implements ConversationStore {
  private final Map<String, Kept> conversations = new ConcurrentHashMap<>();
  private final Latest<AgentState> agent = new Latest<>(AgentState.NEW);
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

  /// The data of a conversation; guarded by itself, except its state.
  private static final class Kept {
    private final Latest<ConversationState> state = new Latest<>(ConversationState.NEW);
    private final Map<String, Line> lines = new LinkedHashMap<>();
    private final Map<String, CallOfTurn> calls = new LinkedHashMap<>();
    private final List<Event.Logged> events = new ArrayList<>();
    private final Set<String> keys = new HashSet<>(); // of events
    private Places.@Nullable Place place;
    private Header header = Header.NONE;
    private @Nullable Instant started;
    private @Nullable Instant last;
    private long characters; // of lines and events

    void occupy(Places.@Nullable Place next) {
      if (place != null) {
        place.close();
      }
      place = next;
    }

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

  private static final class Latest<S> implements Cell<S> {
    private final AtomicReference<Version<S>> latest;

    Latest(S first) {
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
    return known == null ? made(conversation, owner) : known;
  }

  private synchronized Kept made(String conversation, String owner) {
    Kept known = conversations.get(conversation);
    if (known != null) {
      return known;
    }
    makeRoom(owner);
    Kept made = new Kept();
    made.occupy(places.enter(owner));
    conversations.put(conversation, made);
    return made;
  }

  /// The data of a conversation, empty if it does not exist.
  private Kept found(String conversation) {
    Kept kept = conversations.get(conversation);
    return kept == null ? new Kept() : kept;
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
        .filter(one -> one.getValue().state.load().value().due() == null)
        .filter(one ->
            isOf(owner, one.getValue()) || heavy.contains(Places.holder(one.getValue().owner())))
        .map(one -> Idle.of(one.getKey(), one.getValue(), owner))
        .sorted(Comparator.comparing(Idle::lastUse))
        .collect(
            Collectors.partitioningBy(
                Idle::own, Collectors.mapping(Idle::id, Collectors.toList())));
  }

  private static boolean isOf(String owner, Kept kept) {
    return kept.owner().equals(owner);
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
                    kept -> Places.holder(kept.owner()), Collectors.summingLong(Kept::characters)));
    used.values().removeIf(sum -> sum <= mostCharacters / 2);
    return used.keySet();
  }

  private void replace(String conversation) {
    Kept gone = forget(conversation);
    if (gone != null) {
      replaced.accept(gone.owner(), conversation);
    }
  }

  private @Nullable Kept forget(String conversation) {
    Kept kept = conversations.remove(conversation);
    if (kept != null) {
      synchronized (kept) {
        kept.occupy(null);
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
    return keys.keyed(principal, key, conversation, since, time.now());
  }

  @Override
  public boolean create(String conversation, Header header) {
    Kept kept = kept(conversation, header.principal());
    synchronized (kept) {
      if (!kept.isEmpty()) {
        return false;
      }
      kept.header = header;
      kept.started = time.now();
      if (conversations.get(conversation) == kept) {
        // A write that was refused may have made it for another principal.
        kept.occupy(places.enter(header.principal()));
      }
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
    keys.forget(conversation);
    return gone != null && !gone.isEmpty();
  }
}
