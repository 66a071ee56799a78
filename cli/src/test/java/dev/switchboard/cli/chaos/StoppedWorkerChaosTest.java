package dev.switchboard.cli.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.cli.chaos.Desk.Struck;
import dev.switchboard.cli.chaos.Payments.Hit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A worker is stopped in a payment for longer than its hold, and goes on when another one has
/// ended its turns: nothing that it writes counts.
@Tag("slow")
class StoppedWorkerChaosTest {
  private static final Duration STOP = Duration.ofSeconds(Trials.LONG ? 30 : 3);

  @TempDir private Path folder;

  @Test
  void nothingThatItWritesWhenItWakesCounts() throws Exception {
    try (Desk desk = new Desk(folder, "at_least_once").with("a", "b")) {
      Trials.run(
          "a worker stopped in a payment for %d s, hold %d s"
              .formatted(STOP.toSeconds(), Desk.HOLD.toSeconds()),
          "no row changed by it when it woke, one key a payment, it serves the next conversation",
          desk.payments::again,
          random -> {
            Struck struck =
                desk.strike(random, random.nextBoolean(), worker -> desk.worker(worker).stop());
            List<String> said = struck.conversations();
            Hit hit = struck.hit();
            Duration took = desk.untilEnd(said, hit.nanos());
            List<String> rows = desk.rows(said);
            long left = STOP.toNanos() - (System.nanoTime() - hit.nanos());
            assertThat(new CountDownLatch(1).await(left, TimeUnit.NANOSECONDS)).isFalse();
            desk.worker(hit.worker()).go();
            desk.checkServes(hit.worker());
            assertThat(desk.rows(said)).isEqualTo(rows);
            said.forEach(desk::checkPaid);
            return took;
          });
    }
  }
}
