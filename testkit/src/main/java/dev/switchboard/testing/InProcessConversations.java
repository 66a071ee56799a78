package dev.switchboard.testing;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.state.AgentState;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Conversations that last as long as their process, for tests of what goes on after a restart.
/// Safe for use by several threads.
public final class InProcessConversations implements ConversationStore {
  private final Map<String, InProcessCell<ConversationState>> states = new ConcurrentHashMap<>();
  private final Map<String, List<Line>> lines = new ConcurrentHashMap<>();
  private final Map<String, List<Event.Logged>> events = new ConcurrentHashMap<>();
  private final InProcessCell<AgentState> agent = new InProcessCell<>(AgentState.NEW);
  private final List<Kept> calls = new CopyOnWriteArrayList<>();

  private final Map<String, Instant> started = new ConcurrentHashMap<>();
  private final Map<String, Instant> last = new ConcurrentHashMap<>();

  private record Kept(String conversation, int turn, SettledCall call) {}

  private void touch(String conversation) {
    Instant now = Time.SYSTEM.now();
    started.putIfAbsent(conversation, now);
    last.put(conversation, now);
  }

  /// A store that holds nothing.
  public InProcessConversations() {}

  @Override
  public Cell<ConversationState> state(String conversation) {
    return states.computeIfAbsent(conversation, id -> new InProcessCell<>(ConversationState.NEW));
  }

  @Override
  public Cell<AgentState> agent() {
    return agent;
  }

  @Override
  public @Nullable SettledCall settledCall(String conversation, String id) {
    return calls.stream()
        .filter(kept -> kept.conversation.equals(conversation))
        .map(Kept::call)
        .filter(settled -> settled.call().id().equals(id))
        .findFirst()
        .orElse(null);
  }

  @Override
  public List<SettledCall> settledCalls(String conversation, int turn) {
    return calls.stream()
        .filter(kept -> kept.conversation.equals(conversation) && kept.turn == turn)
        .map(Kept::call)
        .toList();
  }

  @Override
  public synchronized void settled(String conversation, long fence, int turn, SettledCall call) {
    check(conversation, fence);
    if (settledCall(conversation, call.call().id()) == null) {
      touch(conversation);
      calls.add(new Kept(conversation, turn, call));
    }
  }

  private void check(String conversation, long fence) {
    if (fence != 0 && state(conversation).load().value().lease().fence() != fence) {
      throw new ConversationConflictException(conversation, null);
    }
  }

  @Override
  public synchronized boolean append(String conversation, long fence, Line line) {
    check(conversation, fence);
    List<Line> known = linesOf(conversation);
    boolean added =
        known.stream().noneMatch(one -> one.key().equals(line.key())) && known.add(line);
    if (added) {
      touch(conversation);
    }
    return added;
  }

  @Override
  public synchronized List<Event.Logged> tell(
      String conversation, long fence, List<Event.Logged> fresh) {
    check(conversation, fence);
    List<Event.Logged> known = eventsOf(conversation);
    List<Event.Logged> told = new ArrayList<>();
    for (Event.Logged event : fresh) {
      if (event.key() == null || known.stream().noneMatch(one -> event.key().equals(one.key()))) {
        told.add(event.numbered(known.size() + 1));
        known.add(told.getLast());
      }
    }
    if (!told.isEmpty()) {
      touch(conversation);
    }
    return told;
  }

  @Override
  public List<Event.Logged> events(String conversation, long after, int most) {
    List<Event.Logged> known = eventsOf(conversation);
    int from = (int) Math.min(after, known.size());
    return List.copyOf(known.subList(from, (int) Math.min((long) from + most, known.size())));
  }

  private List<Event.Logged> eventsOf(String conversation) {
    return events.computeIfAbsent(conversation, id -> new CopyOnWriteArrayList<>());
  }

  @Override
  public List<Line> lines(String conversation, int most) {
    List<Line> known = linesOf(conversation);
    return List.copyOf(known.subList(Math.max(0, known.size() - most), known.size()));
  }

  private List<Line> linesOf(String conversation) {
    return lines.computeIfAbsent(conversation, id -> new CopyOnWriteArrayList<>());
  }

  @Override
  public List<ConsentRequest> waiting() {
    return states.values().stream()
        .flatMap(place -> place.load().value().unanswered().stream())
        .sorted(Comparator.comparing(ConsentRequest::expiresAt))
        .toList();
  }

  @Override
  public synchronized List<Summary> conversations() {
    Set<String> ids = new TreeSet<>(started.keySet());
    states.entrySet().stream()
        .filter(place -> place.getValue().load().number() > 0)
        .forEach(place -> ids.add(place.getKey()));
    return ids.stream().map(this::summary).toList();
  }

  private Summary summary(String id) {
    ConversationState state = state(id).load().value();
    return new Summary(
        id,
        started.get(id),
        last.get(id),
        state.turn(),
        (int) calls.stream().filter(kept -> kept.conversation.equals(id)).count(),
        state.unanswered().size());
  }

  @Override
  public synchronized boolean delete(String conversation) {
    boolean known = conversations().stream().anyMatch(one -> one.id().equals(conversation));
    started.remove(conversation);
    last.remove(conversation);
    lines.remove(conversation);
    events.remove(conversation);
    calls.removeIf(kept -> kept.conversation.equals(conversation));
    InProcessCell<ConversationState> state = states.get(conversation);
    if (state != null) {
      state.latest.set(new Cell.Version<>(0, ConversationState.NEW));
    }
    return known;
  }

  private static final class InProcessCell<S> implements Cell<S> {
    private final AtomicReference<Version<S>> latest;

    InProcessCell(S first) {
      latest = new AtomicReference<>(new Version<>(0, first));
    }

    @Override
    public Version<S> load() {
      return latest.get();
    }

    @Override
    public boolean replace(Version<S> expected, S next) {
      Version<S> known = latest.get();
      return known.number() == expected.number()
          && latest.compareAndSet(known, new Version<>(known.number() + 1, next));
    }
  }
}
