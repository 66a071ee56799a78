package dev.switchboard.server.access;

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
/// Only the 20 most recently used logins of a token, and 10,000 in total, are kept. Thread-safe.
final class Logins {
  static final Duration IDLE = Duration.ofHours(12);

  private static final int MOST = 10_000;
  private static final int MOST_OF_TOKEN = 20;
  private static final int RANDOM_BYTES = 32;

  private final Time time;
  private final Tokens tokens;
  private final RandomGenerator random;
  // Guarded by this; by the hash of the id, so that lookup time reveals nothing about ids.
  private final Map<String, Login> byHash =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Login> eldest) {
          return size() > MOST;
        }
      };

  private record Login(Tokens.Issued token, long used) {}

  Logins(Time time, Tokens tokens) {
    this.time = time;
    this.tokens = tokens;
    this.random = new SecureRandom();
  }

  /// The id of a new login.
  synchronized String begin(Tokens.Issued token) {
    byte[] bytes = new byte[RANDOM_BYTES];
    random.nextBytes(bytes);
    String id = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    forgetOldest(token);
    byHash.put(Tokens.hash(id), new Login(token, time.nanos()));
    return id;
  }

  private void forgetOldest(Tokens.Issued token) {
    List<String> own =
        byHash.entrySet().stream()
            .filter(one -> one.getValue().token.equals(token))
            .map(Map.Entry::getKey)
            .toList();
    // The least recently used ones are first.
    own.stream().limit(Math.max(0, own.size() - MOST_OF_TOKEN + 1)).forEach(byHash::remove);
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
    if (time.nanos() - login.used() >= IDLE.toNanos()) {
      byHash.remove(hash);
      return null;
    }
    if (use) {
      byHash.put(hash, new Login(login.token(), time.nanos()));
    }
    return login.token();
  }

  /// Ends that login, if there is one.
  synchronized void end(String id) {
    byHash.remove(Tokens.hash(id));
  }
}
