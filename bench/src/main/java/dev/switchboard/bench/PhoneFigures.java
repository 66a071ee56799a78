package dev.switchboard.bench;

import java.util.Arrays;

/// What was measured of calls for a while. Safe for use by several threads.
final class PhoneFigures {
  private final Latencies up = new Latencies();
  private final Latencies down = new Latencies();
  private final Latencies clears = new Latencies();
  private int calls; // of tools that were answered; guarded by this

  /// Times that something took.
  private static final class Latencies {
    private long[] nanos = new long[1 << 16]; // guarded by this
    private int count; // guarded by this

    synchronized void add(long took) {
      if (count == nanos.length) {
        nanos = Arrays.copyOf(nanos, 2 * count);
      }
      nanos[count++] = took;
    }

    synchronized void clear() {
      count = 0;
    }

    synchronized int count() {
      return count;
    }

    /// In milliseconds.
    synchronized double quantile(double part) {
      long[] sorted = Arrays.copyOf(nanos, count);
      Arrays.sort(sorted);
      return count == 0 ? Double.NaN : sorted[(int) Math.min(count - 1, part * count)] / 1e6;
    }
  }

  /// Begins again.
  synchronized void clear() {
    up.clear();
    down.clear();
    clears.clear();
    calls = 0;
  }

  /// A frame of the carrier's has reached the engine.
  void heard(long nanos) {
    up.add(nanos);
  }

  /// A piece of the engine's audio has reached the carrier.
  void spoken(long nanos) {
    down.add(nanos);
  }

  /// What waited at the carrier was cleared, so long after the caller was said to speak.
  void cleared(long nanos) {
    clears.add(nanos);
  }

  /// A call of a tool has its result.
  synchronized void called() {
    calls++;
  }

  double up(double part) {
    return up.quantile(part);
  }

  double down(double part) {
    return down.quantile(part);
  }

  double clear(double part) {
    return clears.quantile(part);
  }

  int frames() {
    return up.count();
  }

  int pieces() {
    return down.count();
  }

  int clears() {
    return clears.count();
  }

  synchronized int calls() {
    return calls;
  }
}
