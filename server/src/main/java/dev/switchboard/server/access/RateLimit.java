package dev.switchboard.server.access;

import dev.switchboard.mount.Bound;
import dev.switchboard.time.Time;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A rate limit with many keys: a burst, then a number per second.
///
/// A key that has its whole burst again is forgotten if there are many; a new one is refused as
/// long as there is none of these. Thread-safe.
final class RateLimit {
  private static final double NANOS = 1e9;
  private static final Duration FULL = Duration.ofSeconds(1);

  private final Time time;
  private final int burst;
  private final double perSecond;
  // Guarded by this, in the order of use.
  private final Map<String, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true);

  private record Bucket(double left, long at) {}

  RateLimit(Time time, int burst, double perSecond) {
    this.time = time;
    this.burst = burst;
    this.perSecond = perSecond;
  }

  /// Takes a permit of that key and returns zero; if there is none, returns how long to wait.
  synchronized Duration take(String who) {
    if (buckets.size() >= Bound.RATES.all() && !buckets.containsKey(who) && !forgetEldest()) {
      return FULL;
    }
    Bucket bucket = filled(buckets.get(who));
    Duration waiting = waiting(bucket);
    buckets.put(who, waiting.isZero() ? new Bucket(bucket.left() - 1, bucket.at()) : bucket);
    return waiting;
  }

  private Duration waiting(Bucket bucket) {
    return bucket.left() >= 1
        ? Duration.ZERO
        : Duration.ofNanos((long) Math.ceil((1 - bucket.left()) / perSecond * NANOS));
  }

  /// Forgets the key that was used longest ago, unless it has spent some of its burst.
  private boolean forgetEldest() {
    Map.Entry<String, Bucket> eldest = buckets.entrySet().iterator().next();
    if (filled(eldest.getValue()).left() < burst) {
      return false;
    }
    buckets.remove(eldest.getKey());
    return true;
  }

  private Bucket filled(@Nullable Bucket known) {
    long now = time.nanos();
    return known == null
        ? new Bucket(burst, now)
        : new Bucket(Math.min(burst, known.left() + (now - known.at()) / NANOS * perSecond), now);
  }
}
