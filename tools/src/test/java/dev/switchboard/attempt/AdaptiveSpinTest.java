package dev.switchboard.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.time.Time;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class AdaptiveSpinTest {
  private static final long SPIN_NANOS = 50_000;
  private static final int ALL = 16; // waits until handlers are taken for slow

  private final Time.Signal given = new Time.Signal();
  private final Time.Signal missing = new Time.Signal();
  private final AtomicLong clock = new AtomicLong(); // a microsecond on with each look at it
  private final AdaptiveSpin spin = spin(2);

  AdaptiveSpinTest() {
    given.give();
  }

  private AdaptiveSpin spin(int processors) {
    return new AdaptiveSpin(processors, () -> clock.addAndGet(1_000));
  }

  /// How long the shortest of so many waits took.
  private long shortest(int waits, AdaptiveSpin spin, Time.Signal signal) {
    return LongStream.range(0, waits)
        .map(i -> {
          long before = clock.get();
          spin.await(signal);
          return clock.get() - before;
        })
        .min()
        .orElseThrow();
  }

  @Test
  void spinsOnlyOccasionallyForSlowHandlers() {
    assertThat(shortest(ALL, spin, missing)).isGreaterThanOrEqualTo(SPIN_NANOS);

    assertThat(shortest(63, spin, missing)).isLessThan(SPIN_NANOS);
    assertThat(shortest(1, spin, missing)).isGreaterThanOrEqualTo(SPIN_NANOS);
  }

  @Test
  void spinsAgainForHandlersThatBecomeFast() {
    assertThat(shortest(ALL, spin, missing)).isGreaterThanOrEqualTo(SPIN_NANOS);

    assertThat(shortest(64, spin, given)).isLessThan(SPIN_NANOS);
    assertThat(shortest(2, spin, missing)).isGreaterThanOrEqualTo(SPIN_NANOS);
    assertThat(shortest(30, spin, missing)).isLessThan(SPIN_NANOS);
  }

  @Test
  void oneProcessorIsLeftToTheHandler() {
    assertThat(shortest(ALL, spin(1), missing)).isLessThan(SPIN_NANOS);
  }

  @Test
  void aVirtualThreadLeavesItsProcessorToTheHandler() {
    try (var virtual = Executors.newVirtualThreadPerTaskExecutor()) {
      assertThat(CompletableFuture.supplyAsync(() -> shortest(ALL, spin, missing), virtual).join())
          .isLessThan(SPIN_NANOS);
    }
  }
}
