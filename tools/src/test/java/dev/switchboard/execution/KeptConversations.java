package dev.switchboard.execution;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.json.Json;
import dev.switchboard.json.Records;
import dev.switchboard.state.AgentState;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.WaitingCall;
import dev.switchboard.tool.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A store in memory that keeps what rules and consent remember as JSON, as one on a disk would,
/// and can be made to break.
class KeptConversations implements ConversationStore {
  private final Map<String, Kept<ConversationState>> states = new ConcurrentHashMap<>();
  private final Cell<AgentState> agent =
      new Kept<>(AgentState.NEW, state -> reread(state, AgentState.class));
  private final Map<String, List<Line>> lines = new ConcurrentHashMap<>();
  private final Map<String, SettledCall> settled = new ConcurrentHashMap<>();
  private final List<SettledCall> inOrder = new ArrayList<>(); // guarded by itself

  /// Called around each operation; may throw.
  void before(String operation) {}

  void after(String operation) {}

  private final class Kept<S> implements Cell<S> {
    private final AtomicReference<Version<S>> latest;
    private final UnaryOperator<S> reread;

    Kept(S first, UnaryOperator<S> reread) {
      latest = new AtomicReference<>(new Version<>(0, first));
      this.reread = reread;
    }

    @Override
    public Version<S> load() {
      before("load");
      Version<S> known = latest.get();
      return new Version<>(known.number(), reread.apply(known.value()));
    }

    @Override
    public boolean replace(Version<S> expected, S next) {
      before("replace");
      boolean kept = put(expected, next);
      after("replace");
      return kept;
    }

    boolean put(Version<S> expected, S next) {
      Version<S> known = latest.get();
      return known.number() == expected.number()
          && latest.compareAndSet(known, known.next(reread.apply(next)));
    }
  }

  private static <S> S reread(S value, Class<S> type) {
    return Records.read(Json.text(Records.write(value).text()).tree(), type);
  }

  @Override
  public Written write(String conversation, long fence, Writing writing) {
    if (!writing.events().isEmpty()) {
      throw new UnsupportedOperationException();
    }
    before("write");
    List<Line> known = lines.computeIfAbsent(conversation, id -> new CopyOnWriteArrayList<>());
    for (Line line : writing.lines()) {
      if (known.stream().anyMatch(one -> one.key().equals(line.key()))) {
        return new Written(Outcome.KNOWN, List.of());
      }
    }
    Replacement state = writing.state();
    if (state != null && !kept(conversation).put(state.expected(), state.next())) {
      return new Written(Outcome.STALE, List.of());
    }
    writing.lines().forEach(line -> known.add(new Line(line.key(), reread(line.entry()))));
    synchronized (inOrder) {
      for (CallOfTurn of : writing.calls()) {
        settled.put(conversation + "/" + of.call().call().id(), of.call());
        inOrder.add(of.call());
      }
    }
    after("write");
    return new Written(Outcome.DONE, List.of());
  }

  @Override
  public List<Event.Logged> events(String conversation, long after, int most) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<Line> lines(String conversation, int most) {
    List<Line> known = lines.getOrDefault(conversation, List.of());
    return List.copyOf(known.subList(Math.max(0, known.size() - most), known.size()));
  }

  private static Json reread(Json json) {
    return Json.text(json.text());
  }

  @Override
  public Cell<ConversationState> state(String conversation) {
    return kept(conversation);
  }

  @Override
  public Loaded load(String conversation) {
    return new Loaded(kept(conversation).load(), "local");
  }

  private Kept<ConversationState> kept(String conversation) {
    return states.computeIfAbsent(
        conversation,
        id -> new Kept<>(ConversationState.NEW, state -> reread(state, ConversationState.class)));
  }

  @Override
  public Cell<AgentState> agent() {
    return agent;
  }

  @Override
  public @Nullable SettledCall settledCall(String conversation, String id) {
    before("settledCall");
    return settled.get(conversation + "/" + id);
  }

  @Override
  public List<SettledCall> settledCalls(String conversation, int turn) {
    synchronized (inOrder) {
      return List.copyOf(inOrder);
    }
  }

  /// The unanswered requests of all conversations.
  List<ConsentRequest> waiting() {
    return states.values().stream()
        .flatMap(cell -> cell.load().value().waiting().stream())
        .map(WaitingCall::request)
        .toList();
  }
}
