package dev.switchboard.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/// The clocks of the whole process: time on the wall, time of all processors, bytes allocated by
/// all threads, virtual ones among them.
record Meter(long wall, long cpu, long bytes) {
  private static final ThreadMXBean THREADS =
      ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

  static Meter now() {
    return new Meter(
        System.nanoTime(), ProcessorClock.nanos(), THREADS.getTotalThreadAllocatedBytes());
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
