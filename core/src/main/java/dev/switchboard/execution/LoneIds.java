package dev.switchboard.execution;

import java.security.SecureRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/// Conversation ids for calls that stand alone: a part drawn once for the process, so that two
/// processes differ, and a count, written as a UUID of a kind of its own (version 8).
///
/// A UUID drawn for each would have all calls wait for one another at the source of randomness.
final class LoneIds {
  private static final long PROCESS =
      new SecureRandom().nextLong() & 0xffff_ffff_ffff_0fffL | 0x8000L;
  private static final long VARIANT = 1L << 63;
  private static final AtomicLong NEXT = new AtomicLong();

  private LoneIds() {}

  static String next() {
    return new UUID(PROCESS, VARIANT | NEXT.incrementAndGet()).toString();
  }
}
