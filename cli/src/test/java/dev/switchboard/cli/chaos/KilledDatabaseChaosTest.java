package dev.switchboard.cli.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.cli.chaos.Desk.Struck;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// PostgreSQL is killed in a payment and started again on its data: workers and client go on.
@Tag("slow")
class KilledDatabaseChaosTest {
  private static final int LONGEST_PAUSE_MILLIS = 2_000;

  @TempDir private Path folder;

  @Test
  void nothingIsLostOrDoneTwice() throws Exception {
    try (Desk desk = new Desk(folder, "at_least_once").with("a", "b")) {
      Trials.run(
          "PostgreSQL killed in a payment, started again up to 2 s later",
          "every sentence kept, one key a payment, the transcript of a calm conversation",
          desk.payments::again,
          random -> {
            Struck struck =
                desk.strike(random, random.nextBoolean(), worker -> desk.database.kill());
            List<String> said = new ArrayList<>(struck.conversations());
            Executor soon =
                CompletableFuture.delayedExecutor(
                    random.nextInt(LONGEST_PAUSE_MILLIS), TimeUnit.MILLISECONDS);
            CompletableFuture<Void> again =
                CompletableFuture.runAsync(desk.database::startAgain, soon);
            said.add(desk.sayUntilKept());
            again.join();
            Duration took = desk.untilEnd(said, struck.hit().nanos());
            said.forEach(desk::checkPaid);
            assertThat(desk.worker("a").isAlive() && desk.worker("b").isAlive())
                .as("workers live")
                .isTrue();
            return took;
          });
    }
  }
}
