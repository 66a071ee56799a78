package dev.switchboard.execution;

import dev.switchboard.json.Json;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The events of a conversation that wait to be written, in the order in which they were appended;
/// pieces of text that follow each other are joined. Not thread-safe.
final class WaitingEvents {
  private final Time time;
  private final List<Event.Logged> waiting = new ArrayList<>();
  private @Nullable String run;
  private String reply = ""; // the key of the present reply
  private int pieces; // the number of events with its text
  private @Nullable StringBuilder text; // of the last event, while it may grow

  WaitingEvents(Time time) {
    this.time = time;
  }

  /// Sets the id of the input to which the following events belong.
  void run(String input) {
    run = input;
  }

  /// Begins or continues the reply of that key, which has that many events so far.
  void beginReply(String key, int pieces) {
    endText();
    reply = key;
    this.pieces = pieces;
  }

  /// Adds an event under that key, null if it may be logged repeatedly.
  void add(@Nullable String key, Event event) {
    endText();
    put(key, event.json());
  }

  /// Adds a piece of the text of the reply of that key; returns whether it is a new event.
  boolean addText(String key, String piece) {
    if (!key.equals(reply)) {
      beginReply(key, 0);
    }
    boolean isNew = text == null;
    if (text == null) {
      text = new StringBuilder();
      pieces++;
      put(key + "/" + pieces, Json.EMPTY_OBJECT);
    }
    text.append(piece);
    return isNew;
  }

  private void put(@Nullable String key, Json event) {
    waiting.add(new Event.Logged(0, key, run, time.now(), event));
  }

  /// Whether the last event is further text of a reply, not its first.
  boolean endsInFurtherText() {
    return text != null && pieces > 1;
  }

  /// Completes the last event if it is text.
  private void endText() {
    if (text != null) {
      Event.Logged last = waiting.removeLast();
      Json event = new Event.Content(text.toString()).json();
      waiting.add(new Event.Logged(0, last.key(), last.run(), last.at(), event));
      text = null;
    }
  }

  int size() {
    return waiting.size();
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /// The first events, at most `most`; they stay here.
  List<Event.Logged> first(int most) {
    endText();
    return List.copyOf(waiting.subList(0, Math.min(most, waiting.size())));
  }

  /// Removes that many from the front.
  void remove(int count) {
    waiting.subList(0, count).clear();
  }

  /// Removes the events of these keys.
  void removeAll(Set<String> keys) {
    endText();
    waiting.removeIf(event -> event.key() != null && keys.contains(event.key()));
  }

  void clear() {
    waiting.clear();
    text = null;
  }
}
