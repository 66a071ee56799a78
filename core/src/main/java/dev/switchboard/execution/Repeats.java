package dev.switchboard.execution;

import dev.switchboard.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// How often each call of a turn has succeeded, so that a model that asks the same again and again
/// can be told. Bounded: of more than a thousand different calls the oldest are forgotten.
///
/// Guarded by its owner.
final class Repeats {
  private static final int MOST = 1000;
  private static final int MOST_ALIKE = 50;

  private final Map<Key, List<Seen>> seen =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, List<Seen>> eldest) {
          return size() > MOST;
        }
      };

  /// What two calls that ask the same have in common for certain, and what is quick to find.
  private record Key(String tool, long characters) {}

  private static final class Seen {
    final Json arguments;
    int times;

    Seen(Json arguments) {
      this.arguments = arguments;
    }

    boolean is(Json other) {
      return arguments.equals(other) || arguments.digest().equals(other.digest());
    }
  }

  void succeeded(String tool, Json arguments) {
    List<Seen> alike = seen.computeIfAbsent(key(tool, arguments), key -> new ArrayList<>(1));
    for (Seen known : alike) {
      if (known.is(arguments)) {
        known.times++;
        return;
      }
    }
    if (alike.size() < MOST_ALIKE) {
      Seen first = new Seen(arguments);
      first.times = 1;
      alike.add(first);
    }
  }

  int times(String tool, Json arguments) {
    for (Seen known : seen.getOrDefault(key(tool, arguments), List.of())) {
      if (known.is(arguments)) {
        return known.times;
      }
    }
    return 0;
  }

  void clear() {
    seen.clear();
  }

  /// The same for every order of the members and every use of white space.
  private static Key key(String tool, Json arguments) {
    String text = arguments.text();
    long sum = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c > ' ') {
        sum += (c + 31L) * (c + 31L) * 0x9E3779B97F4A7C15L;
      }
    }
    return new Key(tool, sum);
  }
}
