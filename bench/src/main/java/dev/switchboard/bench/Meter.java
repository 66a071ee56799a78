package dev.switchboard.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.IntConsumer;

/// The clocks of the whole process: time on the wall, time of all processors, bytes allocated by
/// all threads, virtual ones among them.
record Meter(long wall, long cpu, long bytes) {
  private static final ThreadMXBean THREADS =
      ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

  static Meter now() {
    return new Meter(
        System.nanoTime(), ProcessorClock.nanos(), THREADS.getTotalThreadAllocatedBytes());
  }

  /// What each of so many operations costs, that are given their numbers from 0.
  static Cost of(int operations, IntConsumer operation) {
    Meter before = now();
    for (int i = 0; i < operations; i++) {
      operation.accept(i);
    }
    return before.since(operations);
  }

  /// What each of so many operations since then has cost.
  Cost since(long operations) {
    Meter now = now();
    return new Cost(
        (double) (now.wall - wall) / operations,
        (double) (now.cpu - cpu) / operations,
        (double) (now.bytes - bytes) / operations);
  }
}
