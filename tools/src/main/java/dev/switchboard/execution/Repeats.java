package dev.switchboard.execution;

import dev.switchboard.json.Json;
import dev.switchboard.text.Sha256;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// How often in a row each call of a turn has succeeded with the same text for the model, calls of
/// other arguments aside. Bounded by number and size: the oldest are forgotten first.
///
/// Thread-safe; guarded by `this` for a few lines at a time.
final class Repeats {
  private static final int MOST = 1000;
  private static final long MOST_CHARACTERS = 4_000_000;

  // What a byte weighs in a hash: nothing if it may stand between names and values.
  private static final int[] WEIGHTS = new SplittableRandom(1).ints(256).toArray();

  static {
    for (char c : " \t\n\r{}[],:".toCharArray()) {
      WEIGHTS[c] = 0;
    }
  }

  // The longest text that is kept as it is, which spares its digest; all of them are a million
  // characters. Of a longer text the digest is kept.
  private static final int SHORT = 1000;

  // The only call so far, which is most often the only one of its turn, and needs no hash; and what
  // the model read of it.
  private @Nullable ToolCall only;
  private @Nullable String onlyText;
  private final Map<Seen, Seen> seen = new LinkedHashMap<>(); // each by itself
  private long characters; // of their arguments
  private @Nullable Seen latest; // looked up last, and often the next to succeed

  /// A call by its tool and its arguments, whatever the order of members and the white space.
  private static final class Seen {
    final String tool;
    final Json arguments;
    final int hash;
    int times; // it has succeeded in a row with that text
    @Nullable String text; // or its digest; null if it is not known
    @Nullable String digest; // of the arguments; null until it is asked for

    Seen(ToolCall call) {
      tool = call.name();
      arguments = call.arguments();
      hash = 31 * tool.hashCode() + Repeats.hash(arguments);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Seen that
          && tool.equals(that.tool)
          && (arguments.equals(that.arguments) || digest().equals(that.digest()));
    }

    /// The digest of a copy of the arguments, whose tree is not kept.
    private String digest() {
      String known = digest;
      if (known == null) {
        known = Json.text(arguments.text()).digest();
        digest = known;
      }
      return known;
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  /// Counts the outcome of that call, by its tool and its arguments. A failure of the tool, or a
  /// success with another text, begins the count again; a refusal changes nothing.
  synchronized void settled(ToolCall call, ToolResult result) {
    if (result.success()) {
      succeeded(call, result.text());
    } else if (hasRun(result)) {
      countOnly();
      Seen known = seen.get(lookedUp(call));
      if (known != null) {
        known.times = 0;
      }
    }
  }

  private static boolean hasRun(ToolResult failure) {
    ResultCode code = failure.code();
    return code == null || (code.fallback() && code != ResultCode.CIRCUIT_OPEN);
  }

  private void succeeded(ToolCall call, @Nullable String text) {
    if (only == null && seen.isEmpty()) {
      only = call;
      onlyText = text;
    } else {
      countOnly();
      count(call, text);
    }
  }

  /// Counts the only call so far, since there are others now.
  private void countOnly() {
    ToolCall first = only;
    if (first != null) {
      only = null;
      count(first, onlyText);
      onlyText = null;
    }
  }

  private void count(ToolCall call, @Nullable String text) {
    String compared = text == null || text.length() <= SHORT ? text : Sha256.hex(text);
    Seen added = lookedUp(call);
    Seen known = seen.putIfAbsent(added, added);
    if (known != null) {
      // Nothing is known of the text of an older version's results.
      boolean same = known.text == null || compared == null || known.text.equals(compared);
      known.times = same ? known.times + 1 : 1;
      known.text = compared;
      return;
    }
    added.times = 1;
    added.text = compared;
    characters += call.arguments().text().length();
    while (seen.size() > MOST || (characters > MOST_CHARACTERS && seen.size() > 1)) {
      Seen oldest = seen.keySet().iterator().next();
      seen.remove(oldest);
      characters -= oldest.arguments.text().length();
    }
  }

  @SuppressWarnings("ReferenceEquality") // only spares work
  private Seen lookedUp(ToolCall call) {
    Seen known = latest;
    if (known == null || known.arguments != call.arguments() || !known.tool.equals(call.name())) {
      known = new Seen(call);
      latest = known;
    }
    return known;
  }

  /// How often calls equal to that one have succeeded in a row with the same text.
  synchronized int times(ToolCall call) {
    if (only != null && !only.name().equals(call.name())) {
      return 0;
    }
    countOnly();
    Seen known = seen.isEmpty() ? null : seen.get(lookedUp(call));
    return known == null ? 0 : known.times;
  }

  synchronized void clear() {
    only = null;
    onlyText = null;
    latest = null;
    seen.clear();
    characters = 0;
  }

  /// A number that is equal for every order of members and all white space between tokens: the sum
  /// over all characters, each with the two before it. Over bytes and without a branch, which takes
  /// half as long, since a processor guesses badly what comes next in a text.
  static int hash(Json arguments) {
    int sum = 0;
    int last = 0;
    int before = 0;
    for (byte letter : arguments.text().getBytes(StandardCharsets.UTF_8)) {
      int weight = WEIGHTS[letter & 0xff];
      sum += weight * (1 + last * (1 + before));
      before = Integer.rotateLeft(last, 9);
      last = Integer.rotateLeft(weight, 13);
    }
    return sum;
  }
}
