package dev.switchboard.text;

import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/// Ids that no other has, nor one of another process: a part drawn once for the process, and a
/// count. Not secret: whoever knows one can guess the next.
///
/// A random UUID for each would have all threads wait for one another at the source of randomness.
public final class UniqueId {
  private static final String PROCESS = Long.toString(new SecureRandom().nextLong() >>> 4, 36);
  private static final AtomicLong NEXT = new AtomicLong();

  private UniqueId() {}

  /// The next id, such as `call_1x2y3z_7`.
  ///
  /// @param kind of what it is for, which it begins with
  public static String next(String kind) {
    return kind + '_' + PROCESS + '_' + NEXT.incrementAndGet();
  }
}
