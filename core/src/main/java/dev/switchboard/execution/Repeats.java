package dev.switchboard.execution;

import dev.switchboard.json.Json;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/// How often each call of a turn has succeeded, so that a model that asks the same again and again
/// can be told. Bounded by number and by size: the oldest are forgotten first.
///
/// Guarded by its owner.
final class Repeats {
  private static final int MOST = 1000;
  private static final int MOST_ALIKE = 50;
  private static final long MOST_CHARACTERS = 4_000_000;

  private static final Deque<Seen> NONE = new ArrayDeque<>(0); // never added to

  private final Map<Key, Deque<Seen>> seen = new LinkedHashMap<>();
  private int calls;
  private long characters;
  // Of the call that was looked up last, which is often the next to succeed.
  private Json latest = Json.EMPTY_OBJECT;
  private long latestPieces = pieces(latest);

  /// What two calls that ask the same have in common for certain, and what is quick to find.
  private record Key(String tool, long pieces) {}

  private static final class Seen {
    final Json arguments;
    int times = 1;

    Seen(Json arguments) {
      this.arguments = arguments;
    }

    boolean is(Json other) {
      return arguments.equals(other) || arguments.digest().equals(other.digest());
    }
  }

  void succeeded(String tool, Json arguments) {
    Key key = key(tool, arguments);
    for (Seen known : alike(key)) {
      if (known.is(arguments)) {
        known.times++;
        return;
      }
    }
    if (alike(key).size() >= MOST_ALIKE) {
      forgetOldest(key);
    }
    seen.computeIfAbsent(key, none -> new ArrayDeque<>(1)).add(new Seen(arguments));
    calls++;
    characters += arguments.text().length();
    while (calls > MOST || (characters > MOST_CHARACTERS && calls > 1)) {
      forgetOldest(seen.keySet().iterator().next());
    }
  }

  private void forgetOldest(Key key) {
    Deque<Seen> alike = alike(key);
    characters -= alike.removeFirst().arguments.text().length();
    calls--;
    if (alike.isEmpty()) {
      seen.remove(key);
    }
  }

  private Deque<Seen> alike(Key key) {
    return seen.getOrDefault(key, NONE);
  }

  int times(String tool, Json arguments) {
    for (Seen known : alike(key(tool, arguments))) {
      if (known.is(arguments)) {
        return known.times;
      }
    }
    return 0;
  }

  void clear() {
    seen.clear();
    calls = 0;
    characters = 0;
  }

  @SuppressWarnings("ReferenceEquality") // only spares work
  private Key key(String tool, Json arguments) {
    if (arguments != latest) {
      latest = arguments;
      latestPieces = pieces(arguments);
    }
    return new Key(tool, latestPieces);
  }

  /// The same for every order of the members and every use of white space: the pieces between the
  /// commas and brackets, each by its characters in order, added up.
  private static long pieces(Json arguments) {
    String text = arguments.text();
    long sum = 0;
    long piece = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case ' ', '\t', '\n', '\r' -> {}
        case ',', '{', '}', '[', ']' -> {
          sum += mixed(piece);
          piece = 0;
        }
        default -> piece = 31 * piece + c;
      }
    }
    return sum + mixed(piece);
  }

  private static long mixed(long piece) {
    long spread = (piece ^ (piece >>> 32)) * 0x9E3779B97F4A7C15L;
    return spread ^ (spread >>> 29);
  }
}
