package dev.switchboard.server;

import dev.switchboard.tool.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The latest events of a log in memory, without gaps up to the last one. Their number and their
/// characters are limited; older events are dropped.
///
/// For one thread at a time.
final class RecentEvents {
  private static final int MOST = 128;
  private static final long MOST_CHARACTERS = 256 * 1024;
  private static final Event.@Nullable Logged[] NONE = {};

  private Event.@Nullable Logged[] events = NONE; // each at the index of its number
  private long first;
  private long last;
  private long characters;

  /// @param last the number of the latest event of the log, of which none is in memory
  RecentEvents(long last) {
    this.last = last;
    first = last + 1;
  }

  /// The number of the latest event of the log.
  long last() {
    return last;
  }

  /// The number of characters of the events in memory.
  long characters() {
    return characters;
  }

  /// Adds the latest event. If it is not the next one after the last, the earlier ones are dropped.
  void add(Event.Logged event) {
    if (events.length == 0) {
      events = new Event.Logged[MOST];
    }
    if (event.number() != last + 1) {
      endAt(event.number() - 1);
    }
    last = event.number();
    while (last - first >= MOST) {
      dropFirst();
    }
    events[index(last)] = event;
    characters += event.event().text().length();
    while (characters > MOST_CHARACTERS && first < last) {
      dropFirst();
    }
  }

  /// Sets the number of the latest event of the log, and drops all events in memory.
  void endAt(long number) {
    while (first <= last) {
      dropFirst();
    }
    last = number;
    first = number + 1;
  }

  /// All events after that number; null if some of them are not in memory.
  @Nullable List<Event.Logged> after(long number) {
    if (number >= last) {
      return List.of();
    }
    if (first > number + 1) {
      return null;
    }
    List<Event.Logged> later = new ArrayList<>((int) (last - number));
    for (long each = number + 1; each <= last; each++) {
      later.add(at(each));
    }
    return later;
  }

  private Event.Logged at(long number) {
    return Objects.requireNonNull(events[index(number)]);
  }

  private static int index(long number) {
    return (int) (number % MOST);
  }

  private void dropFirst() {
    characters -= at(first).event().text().length();
    events[index(first)] = null;
    first++;
  }
}
