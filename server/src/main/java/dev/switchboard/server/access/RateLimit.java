package dev.switchboard.server.access;

import dev.switchboard.time.Time;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/// A rate limit with many keys: a burst, then a number per second.
///
/// It keeps the latest 10,000 keys; a forgotten key has its whole burst again. Thread-safe.
final class RateLimit {
  private static final int MOST = 10_000;
  private static final double NANOS = 1e9;

  private final Time time;
  private final int burst;
  private final double perSecond;
  // Guarded by this, in the order of use.
  private final Map<String, Bucket> buckets =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
          return size() > MOST;
        }
      };

  private record Bucket(double left, long at) {}

  RateLimit(Time time, int burst, double perSecond) {
    this.time = time;
    this.burst = burst;
    this.perSecond = perSecond;
  }

  /// Takes a permit of that key and returns zero; if there is none, returns how long to wait.
  synchronized Duration take(String who) {
    Bucket bucket = filled(who);
    Duration waiting = waiting(bucket);
    buckets.put(who, waiting.isZero() ? new Bucket(bucket.left() - 1, bucket.at()) : bucket);
    return waiting;
  }

  private Duration waiting(Bucket bucket) {
    return bucket.left() >= 1
        ? Duration.ZERO
        : Duration.ofNanos((long) Math.ceil((1 - bucket.left()) / perSecond * NANOS));
  }

  private Bucket filled(String who) {
    long now = time.nanos();
    Bucket known = buckets.get(who);
    return known == null
        ? new Bucket(burst, now)
        : new Bucket(Math.min(burst, known.left() + (now - known.at()) / NANOS * perSecond), now);
  }
}
