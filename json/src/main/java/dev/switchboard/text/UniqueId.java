package dev.switchboard.text;

import java.security.SecureRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/// Ids that are unique across processes: a random part for the process, and a counter. Not secret:
/// the next one can be guessed.
///
/// Random UUIDs would make all threads wait for each other at the source of randomness.
public final class UniqueId {
  private static final long DRAWN = new SecureRandom().nextLong();
  private static final String PROCESS = Long.toString(DRAWN >>> 4, 36);
  // RFC 9562: version 8, for custom formats, and its variant.
  private static final long VERSION_8 = DRAWN & 0xffff_ffff_ffff_0fffL | 0x8000L;
  private static final long VARIANT = 1L << 63;
  private static final AtomicLong NEXT = new AtomicLong();

  private UniqueId() {}

  /// The next id, such as `call_1x2y3z_7`.
  ///
  /// @param kind its prefix
  public static String next(String kind) {
    return kind + '_' + PROCESS + '_' + NEXT.incrementAndGet();
  }

  /// The next id, as a UUID of version 8.
  public static String nextUuid() {
    return new UUID(VERSION_8, VARIANT | NEXT.incrementAndGet()).toString();
  }
}
