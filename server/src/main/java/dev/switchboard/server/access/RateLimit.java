package dev.switchboard.server.access;

import dev.switchboard.mount.Bound;
import dev.switchboard.mount.Places;
import dev.switchboard.time.Time;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/// A rate limit with many keys: a burst, then a number per second.
///
/// A key that has its whole burst again is forgotten if there are many, of all or of the users of
/// one token; a new one is refused as long as there is none of these. Thread-safe.
final class RateLimit {
  private static final double NANOS = 1e9;
  private static final Duration FULL = Duration.ofSeconds(1);

  private final Time time;
  private final int burst;
  private final double perSecond;
  // Guarded by this, in the order of use.
  private final Map<String, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true);

  private final Places places = new Places(Bound.RATES);

  private record Bucket(double left, long at, Places.Place place) {
    Bucket with(double other, long now) {
      return new Bucket(other, now, place);
    }
  }

  RateLimit(Time time, int burst, double perSecond) {
    this.time = time;
    this.burst = burst;
    this.perSecond = perSecond;
  }

  /// Takes a permit of that key and returns zero; if there is none, returns how long to wait.
  synchronized Duration take(String who) {
    Bucket known = buckets.get(who);
    if (known == null && places.isFull(who) && !forgetEldest(who)) {
      return FULL;
    }
    Bucket bucket =
        known == null ? new Bucket(burst, time.nanos(), places.enter(who)) : filled(known);
    Duration waiting = waiting(bucket);
    buckets.put(who, waiting.isZero() ? bucket.with(bucket.left() - 1, bucket.at()) : bucket);
    return waiting;
  }

  private Duration waiting(Bucket bucket) {
    return bucket.left() >= 1
        ? Duration.ZERO
        : Duration.ofNanos((long) Math.ceil((1 - bucket.left()) / perSecond * NANOS));
  }

  /// Forgets the key that was used longest ago, of all or of the users of that key's token, unless
  /// it has spent some of its burst.
  private boolean forgetEldest(String who) {
    boolean all = places.full(who) == Places.Full.ALL;
    String holder = Places.holder(who);
    Iterator<Map.Entry<String, Bucket>> eldestFirst = buckets.entrySet().iterator();
    while (eldestFirst.hasNext()) {
      Map.Entry<String, Bucket> eldest = eldestFirst.next();
      if (all || Places.holder(eldest.getKey()).equals(holder)) {
        if (filled(eldest.getValue()).left() < burst) {
          return false;
        }
        eldest.getValue().place().close();
        eldestFirst.remove();
        return true;
      }
    }
    return false;
  }

  private Bucket filled(Bucket known) {
    long now = time.nanos();
    double more = (now - known.at()) / NANOS * perSecond;
    return known.with(Math.min(burst, known.left() + more), now);
  }
}
