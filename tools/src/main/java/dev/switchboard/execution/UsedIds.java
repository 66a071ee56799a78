package dev.switchboard.execution;

import java.security.SecureRandom;
import java.util.Arrays;

/// The ids of calls that a log has forgotten, each as a number of 61 bits: eight to sixteen bytes
/// an id. Above [#MOST] every id may be one of them.
///
/// A new id with the number of an old one is refused; among three million that happens once in 7 x
/// 10^11. Not thread-safe.
final class UsedIds {
  static final int MOST = 3_000_000;

  // A prime, so that two ids have the same number for almost no choice of BASE, which no one
  // outside knows.
  private static final long PRIME = (1L << 61) - 1;
  private static final long BASE = new SecureRandom().nextLong(1L << 32, PRIME);

  private long[] table = new long[0]; // 0 for a free place; its length a power of two
  private int size;

  /// Adds an id.
  ///
  /// @return false if it was there, or may have been
  boolean add(String id) {
    if (size >= MOST) {
      return false;
    }
    if (size * 4L >= table.length * 3L) {
      grow();
    }
    return put(number(id));
  }

  private boolean put(long number) {
    int place = place(number);
    boolean added = table[place] == 0;
    table[place] = number;
    size += added ? 1 : 0;
    return added;
  }

  /// The index of that number, or where it belongs.
  private int place(long number) {
    int mask = table.length - 1;
    int place = (int) number & mask;
    while (table[place] != 0 && table[place] != number) {
      place = (place + 1) & mask;
    }
    return place;
  }

  private void grow() {
    long[] old = table;
    table = new long[Math.max(64, 2 * old.length)];
    size = 0;
    Arrays.stream(old).filter(number -> number != 0).forEach(this::put);
  }

  /// The value at BASE of a polynomial whose coefficients are the id's characters, three at a time;
  /// never 0.
  private static long number(String id) {
    long sum = id.length() + 1L;
    for (int i = 0; i < id.length(); i += 3) {
      long three = id.charAt(i);
      three = three << 16 | (i + 1 < id.length() ? id.charAt(i + 1) : 0);
      three = three << 16 | (i + 2 < id.length() ? id.charAt(i + 2) : 0);
      sum = times(sum) + three;
      sum = sum >= PRIME ? sum - PRIME : sum;
    }
    return Math.max(1, times(sum));
  }

  /// That number times BASE, modulo PRIME.
  private static long times(long number) {
    long high = Math.multiplyHigh(number, BASE);
    long low = number * BASE;
    long sum = (low & PRIME) + (high << 3 | low >>> 61);
    return sum >= PRIME ? sum - PRIME : sum;
  }
}
