package dev.switchboard.server.access;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// Limits how many of something are open at once, for each principal and in total, such as streams
/// or large bodies.
///
/// Thread-safe.
public final class ConcurrencyLimit {
  private static final Duration RETRY = Duration.ofSeconds(5);

  private final String what;
  private final int each;
  private final int all;
  private final Map<String, Integer> open = new HashMap<>(); // guarded by this
  private int sum; // guarded by this

  /// A place, until it is closed; closing it again has no effect.
  public final class Place implements AutoCloseable {
    private final String name;
    private boolean closed; // guarded by the limit

    private Place(String name) {
      this.name = name;
    }

    @Override
    public void close() {
      synchronized (ConcurrencyLimit.this) {
        if (!closed) {
          closed = true;
          sum--;
          open.computeIfPresent(name, (key, count) -> count == 1 ? null : count - 1);
        }
      }
    }
  }

  /// @param what the objects in the plural, for messages
  ConcurrencyLimit(String what, int each, int all) {
    this.what = what;
    this.each = each;
    this.all = all;
  }

  /// A place for one more of that principal.
  ///
  /// @throws Problem `rate_limited` when its limit or the total limit is reached
  public synchronized Place acquire(Principal principal) {
    int own = open.getOrDefault(principal.name(), 0);
    if (own >= each) {
      throw Problem.rateLimited("This principal has " + each + " " + what + " open.", RETRY);
    }
    if (sum >= all) {
      throw Problem.rateLimited("The server has " + all + " " + what + " open.", RETRY);
    }
    open.put(principal.name(), own + 1);
    sum++;
    return new Place(principal.name());
  }

  /// The number of open places.
  public synchronized int size() {
    return sum;
  }
}
