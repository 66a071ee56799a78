package dev.switchboard.mount;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Counts what is open of a [Bound]: for each principal, for the users of each back end together,
/// and in all. Thread-safe.
public final class Places {
  private final Bound bound;
  private final Map<String, Integer> open = new HashMap<>(); // guarded by this
  private int sum; // guarded by this

  /// The places of that bound, all free.
  public Places(Bound bound) {
    this.bound = bound;
  }

  /// A place, until it is closed; closing it again has no effect.
  public final class Place implements AutoCloseable {
    private final String name;
    private boolean closed; // guarded by the places

    private Place(String name) {
      this.name = name;
    }

    @Override
    public void close() {
      synchronized (Places.this) {
        if (!closed) {
          closed = true;
          count(name, -1);
        }
      }
    }
  }

  /// A place for one more of that principal.
  ///
  /// @throws FullException when its share, or the whole, is taken
  public synchronized Place acquire(String principal) {
    String full = full(principal);
    if (full != null) {
      throw new FullException(full);
    }
    count(principal, 1);
    return new Place(principal);
  }

  /// Checks that there is room for one more of that principal.
  ///
  /// @throws FullException when there is none
  public void check(String principal) {
    acquire(principal).close();
  }

  /// Whether one more of that principal is refused.
  public synchronized boolean isFull(String principal) {
    return full(principal) != null;
  }

  private @Nullable String full(String principal) {
    String token = token(principal);
    if (open.getOrDefault(principal, 0) >= bound.each()) {
      return "This principal has reached its limit of %d %s.".formatted(bound.each(), bound.what());
    }
    if (token != null && open.getOrDefault(token, 0) >= bound.ofToken()) {
      return "The users of this token have reached their limit of %d %s."
          .formatted(bound.ofToken(), bound.what());
    }
    return sum >= bound.all()
        ? "The server has reached its limit of %d %s.".formatted(bound.all(), bound.what())
        : null;
  }

  private void count(String principal, int more) {
    sum += more;
    if (sum == 0) {
      notifyAll();
    }
    add(principal, more);
    String token = token(principal);
    if (token != null) {
      add(token, more);
    }
  }

  private void add(String key, int more) {
    open.merge(key, more, (known, change) -> known + change == 0 ? null : known + change);
  }

  /// The key of all users of a back end, which no principal has; null if it is no user of one.
  private static @Nullable String token(String principal) {
    int slash = principal.indexOf('/');
    return slash < 0 ? null : principal.substring(0, slash + 1);
  }

  /// The number of open places of that principal.
  public synchronized int of(String principal) {
    return open.getOrDefault(principal, 0);
  }

  /// Waits until all places are free, at most that many milliseconds; returns whether they are.
  public synchronized boolean awaitFree(long milliseconds) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(milliseconds);
    while (sum > 0) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        return false;
      }
      wait(left);
    }
    return true;
  }

  /// The number of open places.
  public synchronized int size() {
    return sum;
  }
}
