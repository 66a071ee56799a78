package dev.switchboard.agent;

import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.model.Message;
import dev.switchboard.time.Time;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What was said and done in a conversation, line by line, each under the key of the effect that it
/// came from: the journal that effects are answered from when they are asked for again, and the
/// history that the model reads.
///
/// Not safe for use by several threads: a conversation has one writer at a time.
final class Transcript {
  // Of an old conversation; many times what a model reads.
  private static final int MOST_LINES = 2000;

  private final String conversation;
  private final @Nullable ConversationStore store;
  private final Time time;
  private final Map<String, Entry> entries = new LinkedHashMap<>();

  /// The transcript of that conversation, its latest lines read from the store where there is one.
  Transcript(String conversation, @Nullable ConversationStore store, Time time) {
    this.conversation = conversation;
    this.store = store;
    this.time = time;
    if (store != null) {
      for (Line line : store.lines(conversation, MOST_LINES)) {
        entries.put(line.key(), EntryJson.read(line.entry()));
      }
    }
  }

  /// What stands under that key; where nothing does, the effect happens, and its outcome is written
  /// down.
  ///
  /// @throws IllegalStateException when another process goes on with the same conversation
  <E extends Entry> E once(String key, Class<E> type, Supplier<? extends E> effect) {
    Entry known = entries.get(key);
    if (known != null) {
      return type.cast(known);
    }
    E made = effect.get();
    write(key, made);
    return made;
  }

  private void write(String key, Entry entry) {
    if (store != null
        && !store.append(conversation, new Line(key, EntryJson.write(entry, time.now())))) {
      throw new IllegalStateException(
          "another process goes on with conversation '" + conversation + "'");
    }
    entries.put(key, entry);
    if (entries.size() > 2 * MOST_LINES) {
      entries.keySet().removeAll(List.copyOf(entries.keySet()).subList(0, MOST_LINES));
    }
  }

  @Nullable Entry find(String key) {
    return entries.get(key);
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  /// The lines, in their order.
  List<Entry> entries() {
    return new ArrayList<>(entries.values());
  }

  /// Whether the result of that call stands in a line.
  boolean tellsOf(String callId) {
    return entries.values().stream()
        .flatMap(entry -> entry.messages().stream())
        .anyMatch(
            message -> message instanceof Message.Result result && result.callId().equals(callId));
  }

  /// The lines of the turn that this key is of.
  List<Entry> turnOf(String key) {
    String prefix = key.substring(0, key.indexOf('/') + 1);
    return entries.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(prefix))
        .map(Map.Entry::getValue)
        .toList();
  }
}
