package dev.switchboard.cli.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.cli.chaos.Desk.Struck;
import dev.switchboard.execution.StoreException;
import dev.switchboard.loop.Input;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// PostgreSQL refuses what is written in a payment, as it does where its disk is full: turns break
/// off, and go on when there is room.
@Tag("slow")
class FullDiskChaosTest {
  private static final int SHORTEST_MILLIS = 300;
  private static final int LONGEST_MILLIS = 3_000;

  @TempDir private Path folder;

  @Test
  void turnsBreakOffAreToldAndGoOnWhenThereIsRoom() throws Exception {
    try (Desk desk = new Desk(folder, "at_least_once")) {
      desk.database.withDisk();
      desk.with("a", "b");
      Trials.run(
          "disk full in a payment, up to 3 s",
          "clients told, workers alive, one key a payment, the transcript of a calm conversation",
          desk.payments::again,
          random -> trial(desk, random));
    }
  }

  private static Duration trial(Desk desk, SplittableRandom random) throws Exception {
    Struck struck = desk.strike(random, random.nextBoolean(), worker -> desk.database.full(true));
    List<String> said = new ArrayList<>(struck.conversations());
    assertThatThrownBy(() -> desk.submit(said.getFirst(), new Input.Said("more", "More.")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("No space left");
    int millis = random.nextInt(SHORTEST_MILLIS, LONGEST_MILLIS);
    assertThat(new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS)).isFalse();
    desk.database.full(false);
    long room = System.nanoTime();
    said.add(desk.say());
    Duration took = desk.untilEnd(said, room);
    said.forEach(desk::checkPaid);
    assertThat(desk.logs()).contains("a turn was interrupted");
    assertThat(desk.worker("a").isAlive() && desk.worker("b").isAlive()).as("they live").isTrue();
    return took;
  }
}
