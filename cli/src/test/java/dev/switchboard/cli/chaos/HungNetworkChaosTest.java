package dev.switchboard.cli.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.cli.chaos.Desk.Struck;
import dev.switchboard.cli.chaos.Payments.Hit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The network between a worker and its database hangs in a payment: another worker goes on, and
/// this one serves again when the network does.
@Tag("slow")
class HungNetworkChaosTest {
  private static final Duration HANG = Duration.ofSeconds(Trials.LONG ? 20 : 4);

  @TempDir private Path folder;

  @Test
  void nothingIsDoneTwiceAndTheWorkerServesAgain() throws Exception {
    try (Desk desk = new Desk(folder, "at_least_once");
        Network a = Network.to(desk.database.port());
        Network b = Network.to(desk.database.port())) {
      Map<String, Network> networks = Map.of("a", a, "b", b);
      networks.forEach((name, network) -> desk.start(name, network.port(), Desk.Version.FIRST));
      desk.with();
      Trials.run(
          "the network of a worker hung for %d s in a payment, hold %d s"
              .formatted(HANG.toSeconds(), Desk.HOLD.toSeconds()),
          "no row changed when it passed on, was cut or had forgotten its connections; one key a"
              + " payment; the worker serves the next conversation",
          desk.payments::again,
          random -> trial(desk, networks, random));
    }
  }

  private static Duration trial(Desk desk, Map<String, Network> networks, SplittableRandom random)
      throws Exception {
    Struck struck =
        desk.strike(random, random.nextBoolean(), worker -> networks.get(worker).hang());
    List<String> said = struck.conversations();
    Hit hit = struck.hit();
    Duration took = desk.untilEnd(said, hit.nanos());
    List<String> rows = desk.rows(said);
    long left = HANG.toNanos() - (System.nanoTime() - hit.nanos());
    assertThat(new CountDownLatch(1).await(left, TimeUnit.NANOSECONDS)).isFalse();
    Network network = networks.get(hit.worker());
    switch (random.nextInt(3)) {
      case 0 -> network.passOn();
      case 1 -> network.cut();
      default -> network.forget();
    }
    desk.checkServes(hit.worker());
    assertThat(desk.rows(said)).isEqualTo(rows);
    said.forEach(desk::checkPaid);
    return took;
  }
}
