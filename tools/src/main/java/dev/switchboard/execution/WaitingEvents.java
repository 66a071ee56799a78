package dev.switchboard.execution;

import dev.switchboard.json.Json;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The events of a conversation that wait to be written, in the order they were told; words that
/// follow each other become one. Not thread-safe.
final class WaitingEvents {
  private final Time time;
  private final List<Event.Logged> waiting = new ArrayList<>();
  private @Nullable String run;
  private String reply = ""; // whose words come now
  private int pieces; // events of these words, so far
  private @Nullable StringBuilder words; // of the last that waits

  WaitingEvents(Time time) {
    this.time = time;
  }

  /// Names the input that the events to come are of.
  void run(String input) {
    run = input;
  }

  /// The next words are of that reply, which has so many events.
  void reply(String key, int pieces) {
    endWords();
    reply = key;
    this.pieces = pieces;
  }

  /// Adds an event under that key, null where it may be told again.
  void add(@Nullable String key, Event event) {
    endWords();
    put(key, event.json());
  }

  /// Adds words of the reply of that key; whether they are a new event.
  boolean addWords(String key, String text) {
    if (!key.equals(reply)) {
      reply(key, 0);
    }
    boolean isNew = words == null;
    if (words == null) {
      words = new StringBuilder();
      pieces++;
      put(key + "/" + pieces, Json.EMPTY_OBJECT);
    }
    words.append(text);
    return isNew;
  }

  private void put(@Nullable String key, Json event) {
    waiting.add(new Event.Logged(0, key, run, time.now(), event));
  }

  /// Whether the last are further words of a reply of which others came before.
  boolean endsInFurtherWords() {
    return words != null && pieces > 1;
  }

  /// The words that wait get no more.
  private void endWords() {
    if (words != null) {
      Event.Logged last = waiting.removeLast();
      Json event = new Event.Content(words.toString()).json();
      waiting.add(new Event.Logged(0, last.key(), last.run(), last.at(), event));
      words = null;
    }
  }

  int size() {
    return waiting.size();
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /// The first, at most so many, which stay here.
  List<Event.Logged> first(int most) {
    endWords();
    return List.copyOf(waiting.subList(0, Math.min(most, waiting.size())));
  }

  /// Removes the first, so many.
  void remove(int count) {
    waiting.subList(0, count).clear();
  }

  /// Removes those of these keys.
  void removeAll(Set<String> keys) {
    endWords();
    waiting.removeIf(event -> event.key() != null && keys.contains(event.key()));
  }

  void clear() {
    waiting.clear();
    words = null;
  }
}
