package dev.switchboard.mount;

import dev.switchboard.text.PrincipalName;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Counts what is open of a [Bound]: for each principal, for the users of each back end together,
/// and in all. Thread-safe.
public final class Places {
  private final Bound bound;
  private final int each;
  private final int all;
  private final Map<String, Long> open = new HashMap<>(); // guarded by this
  private long sum; // guarded by this

  /// The places of that bound, all free.
  public Places(Bound bound) {
    this(bound, bound.each(), bound.all());
  }

  /// Places of that kind where the most in all is another number, at least 1; a principal has half
  /// of them.
  public Places(Bound bound, int all) {
    this(bound, half(all), all);
  }

  private Places(Bound bound, int each, int all) {
    this.bound = bound;
    this.each = each;
    this.all = all;
  }

  private static int half(int all) {
    return Math.max(1, all / 2);
  }

  /// What has no place left.
  public enum Full {
    /// The share of the principal.
    PRINCIPAL,
    /// The share of the users of its token.
    TOKEN,
    /// The whole.
    ALL
  }

  /// A place, until it is closed; closing it again has no effect.
  public final class Place implements AutoCloseable {
    private final String name;
    private final long amount;
    private boolean closed; // guarded by the places

    private Place(String name, long amount) {
      this.name = name;
      this.amount = amount;
    }

    @Override
    public void close() {
      synchronized (Places.this) {
        if (!closed) {
          closed = true;
          count(name, -amount);
        }
      }
    }
  }

  /// A place for one more of that principal.
  ///
  /// @throws FullException when its share, or the whole, is taken
  public Place acquire(String principal) {
    return acquire(principal, 1);
  }

  /// So many places of that principal, as one.
  ///
  /// @throws FullException when its share, or the whole, is taken
  public synchronized Place acquire(String principal, long amount) {
    String refusal = refusal(principal, amount);
    if (refusal != null) {
      throw new FullException(refusal);
    }
    count(principal, amount);
    return new Place(principal, amount);
  }

  /// Why so many more of that principal are refused, a sentence; null if there is room.
  public synchronized @Nullable String refusal(String principal, long amount) {
    Full full = full(principal, amount);
    return full == null ? null : sentence(full);
  }

  /// Counts so many more of that principal, or fewer, whether there is room or not.
  public synchronized void change(String principal, long more) {
    count(principal, more);
  }

  /// A place for one more of that principal, also beyond the bound: for what had a place before, or
  /// whose holder has asked by [#full].
  public synchronized Place enter(String principal) {
    count(principal, 1);
    return new Place(principal, 1);
  }

  /// Checks that there is room for one more of that principal.
  ///
  /// @throws FullException when there is none
  public void check(String principal) {
    acquire(principal).close();
  }

  /// Whether one more of that principal is refused.
  public boolean isFull(String principal) {
    return full(principal) != null;
  }

  /// What refuses one more of that principal; null if there is room.
  public @Nullable Full full(String principal) {
    return full(principal, 1);
  }

  private synchronized @Nullable Full full(String principal, long amount) {
    if (amount > all - sum) {
      return Full.ALL;
    }
    if (amount > share(principal) - counted(principal)) {
      return Full.PRINCIPAL;
    }
    String holder = holder(principal);
    return !holder.equals(principal) && amount > half(all) - counted(holder) ? Full.TOKEN : null;
  }

  private String sentence(Full full) {
    return switch (full) {
      case PRINCIPAL ->
          "This principal has reached its limit of %d %s.".formatted(each, bound.what());
      case TOKEN ->
          "The users of this token have reached their limit of %d %s."
              .formatted(half(all), bound.what());
      case ALL -> "The server has reached its limit of %d %s.".formatted(all, bound.what());
    };
  }

  private int share(String principal) {
    return bound.localHasAll() && principal.equals(PrincipalName.LOCAL) ? all : each;
  }

  private void count(String principal, long more) {
    if (more == 0) {
      return;
    }
    sum += more;
    if (sum == 0) {
      notifyAll();
    }
    add(principal, more);
    String holder = holder(principal);
    if (!holder.equals(principal)) {
      add(holder, more);
    }
  }

  private void add(String key, long more) {
    open.merge(key, more, (known, change) -> known + change == 0 ? null : known + change);
  }

  private synchronized long counted(String holder) {
    return open.getOrDefault(holder, 0L);
  }

  /// Who answers for what that principal fills: all users of a back end together, by a name that no
  /// principal has; otherwise the principal itself.
  public static String holder(String principal) {
    int slash = principal.indexOf('/');
    return slash < 0 ? principal : principal.substring(0, slash + 1);
  }

  /// The number of open places of that principal, or of that [#holder].
  public synchronized int of(String principal) {
    return (int) counted(principal);
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
    return (int) sum;
  }
}
