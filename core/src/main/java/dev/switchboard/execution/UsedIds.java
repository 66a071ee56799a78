package dev.switchboard.execution;

import java.security.SecureRandom;
import java.util.Arrays;

/// The ids of calls that a log has forgotten, each as a number of 61 bits: eight to sixteen bytes
/// an id, whatever its length. Up to [#MOST]; then every id may be one of them.
///
/// A new id that is taken for an old one is refused; beside three million that happens once in
/// seven hundred thousand million. Not safe for use by several threads.
final class UsedIds {
  static final int MOST = 3_000_000;

  // A prime, so that two ids give the same number for next to no choice of BASE, which no one who
  // makes up ids knows.
  private static final long PRIME = (1L << 61) - 1;
  private static final long BASE = new SecureRandom().nextLong(1L << 32, PRIME);

  private long[] table = new long[0]; // 0 for a free place; its length a power of two
  private int size;

  void add(String id) {
    if (size >= MOST) {
      size = MOST + 1;
      table = new long[0];
      return;
    }
    if (size * 4L >= table.length * 3L) {
      grow();
    }
    put(number(id));
  }

  /// Whether no id can be told from the forgotten ones any more.
  boolean isFull() {
    return size > MOST;
  }

  /// Whether that id was added, or cannot be told from those that were.
  boolean mayHold(String id) {
    if (size == 0 || isFull()) {
      return isFull();
    }
    long number = number(id);
    return table[place(number)] == number;
  }

  private void put(long number) {
    int place = place(number);
    size += table[place] == 0 ? 1 : 0;
    table[place] = number;
  }

  /// Where that number stands, or belongs.
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

  /// The id's characters, three at a time, as the coefficients of a polynomial, at BASE; never 0.
  private static long number(String id) {
    long sum = id.length() + 1;
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
