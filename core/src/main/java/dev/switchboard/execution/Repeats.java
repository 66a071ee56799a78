package dev.switchboard.execution;

import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolCall;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How often each call of a turn has succeeded. Bounded by number and size: the oldest are
/// forgotten first.
///
/// Thread-safe; guarded by `this` for a few lines at a time.
final class Repeats {
  private static final int MOST = 1000;
  private static final int MOST_ALIKE = 50;
  private static final long MOST_CHARACTERS = 4_000_000;

  // What an ASCII character is in arguments; a table is twice as quick as a switch.
  private static final byte[] PARTS = new byte[128];
  private static final byte OF_PIECE = 0;
  private static final byte SPACE = 1;
  private static final byte BETWEEN = 2;

  static {
    for (char c : new char[] {' ', '\t', '\n', '\r'}) {
      PARTS[c] = SPACE;
    }
    for (char c : new char[] {',', '{', '}', '[', ']'}) {
      PARTS[c] = BETWEEN;
    }
  }

  // The only call so far, which is most often the only one of its turn, and needs no key.
  private @Nullable ToolCall only;
  // By key the call that was seen first, and then the others.
  private final Map<Long, Seen> seen = new LinkedHashMap<>();
  private int calls;
  private long characters;
  // Of the call that was looked up last, often the next to succeed.
  private Json latest = Json.EMPTY_OBJECT;
  private long latestPieces = pieces(latest);

  private static final class Seen {
    final String tool;
    final Json arguments;
    final int characters; // of them
    int times = 1;
    @Nullable Seen next; // of the same key

    Seen(ToolCall call) {
      tool = call.name();
      arguments = call.arguments();
      characters = arguments.text().length();
    }

    boolean is(ToolCall call) {
      Json other = call.arguments();
      return tool.equals(call.name())
          && (arguments.equals(other) || arguments.digest().equals(other.digest()));
    }
  }

  /// Counts a success of that call, by its tool and its arguments.
  synchronized void succeeded(ToolCall call) {
    if (calls == 0 && only == null) {
      only = call;
    } else {
      addOnly();
      add(call);
    }
  }

  /// Gives a key to the only call so far, since there are others now.
  private void addOnly() {
    ToolCall first = only;
    if (first != null) {
      only = null;
      add(first);
    }
  }

  private void add(ToolCall call) {
    Long key = key(call);
    Seen added = new Seen(call);
    Seen first = seen.putIfAbsent(key, added);
    Seen last = null;
    int alike = 0;
    for (Seen known = first; known != null; known = known.next) {
      if (known.is(call)) {
        known.times++;
        return;
      }
      last = known;
      alike++;
    }
    if (last != null) {
      last.next = added;
    }
    calls++;
    characters += added.characters;
    if (first != null && alike >= MOST_ALIKE) {
      forget(key, first);
    }
    while (calls > MOST || (characters > MOST_CHARACTERS && calls > 1)) {
      Map.Entry<Long, Seen> oldest = seen.entrySet().iterator().next();
      forget(oldest.getKey(), oldest.getValue());
    }
  }

  /// Forgets the oldest of those with that key.
  private void forget(Long key, Seen oldest) {
    characters -= oldest.characters;
    calls--;
    if (oldest.next == null) {
      seen.remove(key);
    } else {
      seen.put(key, oldest.next); // keeps its place in the order
    }
  }

  /// How often calls equal to that one have succeeded.
  synchronized int times(ToolCall call) {
    if (only != null && !only.name().equals(call.name())) {
      return 0;
    }
    addOnly();
    if (calls == 0) {
      return 0;
    }
    for (Seen known = seen.get(key(call)); known != null; known = known.next) {
      if (known.is(call)) {
        return known.times;
      }
    }
    return 0;
  }

  synchronized void clear() {
    only = null;
    seen.clear();
    calls = 0;
    characters = 0;
  }

  /// A quick key that equal calls have in common.
  @SuppressWarnings("ReferenceEquality") // only spares work
  private long key(ToolCall call) {
    Json arguments = call.arguments();
    if (arguments != latest) {
      latest = arguments;
      latestPieces = pieces(arguments);
    }
    return latestPieces + mixed(call.name().hashCode());
  }

  /// A number that is equal for every order of members and every use of white space: the sum over
  /// the pieces between commas and brackets.
  static long pieces(Json arguments) {
    String text = arguments.text();
    long sum = 0;
    long piece = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      byte part = c < PARTS.length ? PARTS[c] : OF_PIECE;
      if (part == OF_PIECE) {
        piece = 31 * piece + c;
      } else if (part == BETWEEN) {
        sum += mixed(piece);
        piece = 0;
      }
    }
    return sum + mixed(piece);
  }

  private static long mixed(long piece) {
    long spread = (piece ^ (piece >>> 32)) * 0x9E3779B97F4A7C15L;
    return spread ^ (spread >>> 29);
  }
}
