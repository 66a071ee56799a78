package dev.switchboard.store;

import java.time.Instant;

/// Times as ordered numbers, in nanoseconds since 1970.
final class Nanoseconds {
  private static final long SECOND = 1_000_000_000;

  private Nanoseconds() {}

  /// The number of a time; before 1678 or after 2262 the nearest possible one.
  static long of(Instant at) {
    try {
      return Math.addExact(Math.multiplyExact(at.getEpochSecond(), SECOND), at.getNano());
    } catch (ArithmeticException e) {
      return at.getEpochSecond() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }

  static Instant instant(long number) {
    return Instant.ofEpochSecond(Math.floorDiv(number, SECOND), Math.floorMod(number, SECOND));
  }
}
