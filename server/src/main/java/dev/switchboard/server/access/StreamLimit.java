package dev.switchboard.server.access;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// How many streams are open at once, of each principal and in all.
///
/// Safe for use by several threads.
public final class StreamLimit {
  /// How many streams a principal may have open.
  public static final int EACH = 50;

  /// How many streams may be open in all.
  public static final int ALL = 5_000;

  private static final Duration RETRY = Duration.ofSeconds(5);

  private final int each;
  private final int all;
  private final Map<String, Integer> open = new HashMap<>(); // guarded by this
  private int sum; // guarded by this

  /// One open stream, until it is closed; closing it again changes nothing.
  public final class Place implements AutoCloseable {
    private final String name;
    private boolean closed; // guarded by the limit

    private Place(String name) {
      this.name = name;
    }

    @Override
    public void close() {
      synchronized (StreamLimit.this) {
        if (!closed) {
          closed = true;
          sum--;
          open.computeIfPresent(name, (key, count) -> count == 1 ? null : count - 1);
        }
      }
    }
  }

  StreamLimit(int each, int all) {
    this.each = each;
    this.all = all;
  }

  /// A place for one more stream of that principal.
  ///
  /// @throws Problem `rate_limited` when it has as many as it may, or all have
  public synchronized Place acquire(Principal principal) {
    int own = open.getOrDefault(principal.name(), 0);
    if (own >= each) {
      throw Problem.rateLimited("This principal has " + each + " streams open.", RETRY);
    }
    if (sum >= all) {
      throw Problem.rateLimited("The server has " + all + " streams open.", RETRY);
    }
    open.put(principal.name(), own + 1);
    sum++;
    return new Place(principal.name());
  }

  /// How many streams are open.
  public synchronized int size() {
    return sum;
  }
}
