package dev.switchboard.phone.carrier.twilio;

import dev.switchboard.phone.carrier.relay.RelayMessage;
import dev.switchboard.time.Time;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Tokens that prove that a socket belongs to a call that a signed request announced: one for each
/// call, with one socket at a time.
///
/// Thread-safe.
final class MediaTokens {
  /// The parameter with the token.
  static final String PARAMETER = RelayMessage.TOKEN;

  private static final Duration UNUSED = Duration.ofSeconds(60);
  // The carrier's maximum duration of a call.
  private static final Duration USED = Duration.ofHours(24);
  private static final int MOST_ANNOUNCED = 5;
  private static final int MOST_RETRIES = 3;
  private static final int MOST_PLACES = 10_000; // where the carrier does not say that calls ended
  private static final int RANDOM_BYTES = 32;

  private final Time time;
  private final RandomGenerator random;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Place> places = new LinkedHashMap<>(); // guarded by lock

  /// The token and the socket of a call; guarded by the lock.
  private static final class Place {
    final String token;
    long goodUntil;
    int announced; // since a socket was there
    int retries; // during the call
    boolean used;
    boolean live;

    Place(String token) {
      this.token = token;
    }
  }

  MediaTokens(Time time, RandomGenerator random) {
    this.time = time;
    this.random = random;
  }

  /// The token of a call, to announce to the carrier; null if it was announced often and no socket
  /// came.
  @Nullable String announce(String call) {
    lock.lock();
    try {
      long now = time.nanos();
      places.values().removeIf(place -> !place.live && place.goodUntil - now <= 0);
      makeRoom(call);
      Place place = places.computeIfAbsent(call, any -> new Place(fresh()));
      if (place.announced == MOST_ANNOUNCED) {
        return null;
      }
      place.announced++;
      place.goodUntil = now + (place.used ? USED : UNUSED).toNanos();
      return place.token;
    } finally {
      lock.unlock();
    }
  }

  private void makeRoom(String call) {
    if (places.size() >= MOST_PLACES && !places.containsKey(call)) {
      places.entrySet().stream()
          .filter(entry -> !entry.getValue().live)
          .map(Map.Entry::getKey)
          .findFirst()
          .ifPresent(places::remove);
    }
  }

  private String fresh() {
    byte[] bytes = new byte[RANDOM_BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /// Assigns a socket to a call, if the token is the call's and it has no socket.
  boolean take(String call, String token) {
    lock.lock();
    try {
      Place place = places.get(call);
      long now = time.nanos();
      if (place == null
          || place.live
          || place.goodUntil - now <= 0
          || !MessageDigest.isEqual(bytes(place.token), bytes(token))) {
        return false;
      }
      place.live = true;
      place.used = true;
      place.announced = 0;
      place.goodUntil = now + USED.toNanos();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /// Counts a socket that failed; whether the call may have another one.
  boolean retry(String call) {
    lock.lock();
    try {
      Place place = places.get(call);
      return place == null || place.retries++ < MOST_RETRIES;
    } finally {
      lock.unlock();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /// Removes the socket of a call, which had that token.
  void free(String call, String token) {
    lock.lock();
    try {
      Place place = places.get(call);
      if (place != null && place.token.equals(token)) {
        place.live = false;
      }
    } finally {
      lock.unlock();
    }
  }

  /// Forgets a call that has ended.
  void end(String call) {
    lock.lock();
    try {
      places.remove(call);
    } finally {
      lock.unlock();
    }
  }

  /// The number of calls with a token.
  int size() {
    lock.lock();
    try {
      return places.size();
    } finally {
      lock.unlock();
    }
  }
}
