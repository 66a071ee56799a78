package dev.switchboard.attempt;

import dev.switchboard.time.Time;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/// Adaptive spinning of platform threads that wait for an attempt: to park such a thread and to
/// wake it, often with its processor, takes several times as long as a quick handler. A virtual
/// thread does not need it.
///
/// A thread spins no longer than parking would take, at most half as many threads as there are
/// processors do so at a time, and only one wait in many where most handlers turn out to be slow.
/// Thread-safe.
final class AdaptiveSpin {
  // About what it takes to park and to be woken.
  private static final long LONGEST_NANOS = 50_000;
  // So spinning is worthwhile while a third of the handlers answer meanwhile.
  private static final int GAIN = 2;
  private static final int LOSS = -1;
  private static final int HIGHEST_SCORE = 16;
  private static final int LOWEST_SCORE = 0;
  private static final int PROBE = 64;

  private final int mostThreads;
  private final LongSupplier nanos;
  private final AtomicInteger threads = new AtomicInteger(); // that spin now
  private final AtomicInteger score = new AtomicInteger(HIGHEST_SCORE);
  private final AtomicInteger skipped = new AtomicInteger();

  /// @param processors of this machine, or those that it lets this process use
  /// @param nanos a clock that never goes back, in nanoseconds
  AdaptiveSpin(int processors, LongSupplier nanos) {
    mostThreads = processors / 2;
    this.nanos = nanos;
  }

  /// Waits for a moment for the signal, if that is likely to be given by then.
  void await(Time.Signal signal) {
    if (Thread.currentThread().isVirtual() || !isWorthwhile()) {
      return;
    }
    try {
      if (threads.incrementAndGet() <= mostThreads) {
        learn(spin(signal));
      }
    } finally {
      threads.decrementAndGet();
    }
  }

  private boolean isWorthwhile() {
    return score.get() > LOWEST_SCORE || skipped.incrementAndGet() % PROBE == 0;
  }

  /// Whether the signal was given meanwhile.
  private boolean spin(Time.Signal signal) {
    long end = nanos.getAsLong() + LONGEST_NANOS;
    while (!signal.given() && nanos.getAsLong() - end < 0) {
      Thread.onSpinWait();
    }
    return signal.given();
  }

  private void learn(boolean given) {
    int unused =
        score.accumulateAndGet(
            given ? GAIN : LOSS,
            (known, change) -> Math.clamp(known + change, LOWEST_SCORE, HIGHEST_SCORE));
  }
}
