package dev.switchboard.server.access;

import dev.switchboard.mount.Bound;
import dev.switchboard.mount.Places;
import dev.switchboard.time.Time;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The logins of browsers, in memory. A login lasts until it is ended, its token is revoked, or
/// twelve hours pass without a request.
///
/// Only the most recently used logins of a principal are kept. Thread-safe.
final class BrowserLogins {
  static final Duration IDLE = Duration.ofHours(12);

  private static final int RANDOM_BYTES = 32;

  private final Time time;
  private final Tokens tokens;
  private final RandomGenerator random;
  // Guarded by this; by the hash of the id, so that lookup time reveals nothing about ids.
  private final Map<String, Login> byHash = new LinkedHashMap<>(16, 0.75f, true);
  private final Places places = new Places(Bound.LOGINS);

  private record Login(Tokens.Issued token, long used, Places.Place place) {}

  BrowserLogins(Time time, Tokens tokens) {
    this.time = time;
    this.tokens = tokens;
    this.random = new SecureRandom();
  }

  /// The id of a new login.
  ///
  /// @throws FullException when there are too many of others
  synchronized String begin(Tokens.Issued token) {
    byte[] bytes = new byte[RANDOM_BYTES];
    random.nextBytes(bytes);
    String id = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    forgetOver();
    if (places.isFull(token.name())) {
      forgetOldest(token.name());
    }
    byHash.put(Tokens.hash(id), new Login(token, time.nanos(), places.acquire(token.name())));
    return id;
  }

  /// The least recently used ones are first.
  private void forgetOver() {
    List<String> over =
        byHash.entrySet().stream()
            .takeWhile(one -> isOver(one.getValue()))
            .map(Map.Entry::getKey)
            .toList();
    over.forEach(this::remove);
  }

  private void forgetOldest(String principal) {
    byHash.entrySet().stream()
        .filter(one -> one.getValue().token.name().equals(principal))
        .map(Map.Entry::getKey)
        .findFirst()
        .ifPresent(this::remove);
  }

  private boolean isOver(Login login) {
    return time.nanos() - login.used() >= IDLE.toNanos();
  }

  private void remove(String hash) {
    Login login = byHash.remove(hash);
    if (login != null) {
      login.place().close();
    }
  }

  /// The token of that login, and notes its use; null if there is none, or it has ended.
  Tokens.@Nullable Issued use(String id) {
    Tokens.Issued token = find(id, true);
    if (token == null || tokens.holds(token)) {
      return token;
    }
    end(id);
    return null;
  }

  /// Whether that login is valid; does not count as use.
  boolean lasts(String id) {
    Tokens.Issued token = find(id, false);
    return token != null && tokens.holds(token);
  }

  private synchronized Tokens.@Nullable Issued find(String id, boolean use) {
    String hash = Tokens.hash(id);
    Login login = byHash.get(hash);
    if (login == null) {
      return null;
    }
    if (isOver(login)) {
      remove(hash);
      return null;
    }
    if (use) {
      byHash.put(hash, new Login(login.token(), time.nanos(), login.place()));
    }
    return login.token();
  }

  /// Ends that login, if there is one.
  synchronized void end(String id) {
    remove(Tokens.hash(id));
  }
}
