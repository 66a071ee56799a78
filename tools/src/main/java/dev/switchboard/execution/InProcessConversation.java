package dev.switchboard.execution;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationDirectory.Header;
import dev.switchboard.execution.ConversationDirectory.Summary;
import dev.switchboard.execution.ConversationStore.CallOfTurn;
import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.execution.ConversationStore.Loaded;
import dev.switchboard.execution.ConversationStore.Outcome;
import dev.switchboard.execution.ConversationStore.Replacement;
import dev.switchboard.execution.ConversationStore.SettledCall;
import dev.switchboard.execution.ConversationStore.Writing;
import dev.switchboard.execution.ConversationStore.Written;
import dev.switchboard.json.Json;
import dev.switchboard.mount.Places;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.tool.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// A conversation in memory: its state, lines, calls and events. Thread-safe; guarded by itself,
/// except its state.
final class InProcessConversation {
  private final String id;
  private final LongConsumer grown; // receives the number of characters that were added
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

  InProcessConversation(String id, LongConsumer grown) {
    this.id = id;
    this.grown = grown;
  }

  /// A value that is replaced if it is the latest version.
  static final class Latest<S> implements Cell<S> {
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

  /// Begins the conversation; false if it has begun.
  synchronized boolean begin(Header first, Instant now) {
    if (!isEmpty()) {
      return false;
    }
    header = first;
    started = now;
    return true;
  }

  /// Frees its place, and takes the other one.
  synchronized void occupy(Places.@Nullable Place next) {
    if (place != null) {
      place.close();
    }
    place = next;
  }

  /// Whether nothing is stored of it.
  synchronized boolean isEmpty() {
    return started == null && state.load().number() == 0;
  }

  synchronized String owner() {
    return header.principal();
  }

  synchronized long characters() {
    return characters;
  }

  synchronized Instant lastUse() {
    Instant used = last == null ? started : last;
    return used == null ? Instant.EPOCH : used;
  }

  ConversationState state() {
    return state.load().value();
  }

  synchronized Loaded load() {
    return new Loaded(state.load(), isEmpty() ? null : header.principal());
  }

  synchronized @Nullable SettledCall settledCall(String call) {
    CallOfTurn settled = calls.get(call);
    return settled == null ? null : settled.call();
  }

  synchronized List<SettledCall> settledCalls(int turn) {
    return calls.values().stream()
        .filter(settled -> settled.turn() == turn)
        .map(CallOfTurn::call)
        .toList();
  }

  synchronized List<Event.Logged> events(long after, int most) {
    int from = (int) Math.min(after, events.size());
    int to = (int) Math.min((long) from + most, events.size());
    return List.copyOf(events.subList(from, to));
  }

  synchronized List<Line> lines(int most) {
    return lines.values().stream().skip(Math.max(0, lines.size() - most)).toList();
  }

  synchronized @Nullable Summary summary() {
    ConversationState known = state();
    return isEmpty()
        ? null
        : new Summary(
            id,
            started,
            last,
            known.turn(),
            calls.size(),
            known.unanswered().size(),
            events.size(),
            header,
            known.lease().until() != null,
            known.isSetAside());
  }

  /// @param asked receives the unanswered requests before and after the write, if the state changes
  synchronized Written write(
      long fence,
      Writing writing,
      Instant now,
      BiConsumer<List<ConsentRequest>, List<ConsentRequest>> asked) {
    check(fence, writing);
    if (writing.lines().stream().anyMatch(line -> lines.containsKey(line.key()))) {
      return new Written(Outcome.KNOWN, List.of());
    }
    Replacement next = writing.state();
    List<ConsentRequest> before = state().unanswered();
    if (next != null && !state.replace(next.expected(), next.next())) {
      return new Written(Outcome.STALE, List.of());
    }
    if (next != null) {
      asked.accept(before, next.next().unanswered());
      started = started == null ? now : started;
    }
    return new Written(Outcome.DONE, added(writing, now));
  }

  private void check(long fence, Writing writing) {
    if (isEmpty()) {
      header = Header.of(writing.owner());
    }
    ConversationNotFoundException.refuseOthers(id, header.principal(), writing.principal());
    if (fence != 0 && state().lease().fence() != fence) {
      throw new ConversationConflictException(id, null);
    }
  }

  /// The events that were added beside lines and calls.
  private List<Event.Logged> added(Writing writing, Instant now) {
    long before = characters;
    for (Line line : writing.lines()) {
      lines.put(line.key(), new Line(line.key(), line.entry().withoutTree()));
      characters += line.entry().text().length();
    }
    boolean any = !writing.lines().isEmpty();
    for (CallOfTurn settled : writing.calls()) {
      any |= calls.putIfAbsent(settled.call().call().id(), settled) == null;
    }
    List<Event.Logged> added = new ArrayList<>();
    for (Event.Logged event : writing.events()) {
      if (event.key() == null || keys.add(event.key())) {
        characters += event.event().text().length();
        Event.Logged numbered = event.numbered(events.size() + 1);
        events.add(withoutTree(numbered));
        added.add(numbered);
      }
    }
    if (any || !added.isEmpty()) {
      started = started == null ? now : started;
      last = now;
    }
    grown.accept(characters - before);
    return added;
  }

  private static Event.Logged withoutTree(Event.Logged event) {
    Json text = event.event().withoutTree();
    return new Event.Logged(event.number(), event.key(), event.run(), event.at(), text);
  }
}
