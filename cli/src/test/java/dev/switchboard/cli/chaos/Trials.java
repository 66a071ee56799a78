package dev.switchboard.cli.chaos;

import java.time.Duration;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/// Trials by chance, one after the other, each from a seed of its own.
///
/// `-Dswitchboard.chaos=20` says how many there are, `-Dswitchboard.seed=7` the seed of the first,
/// each further one has the next; `-Dswitchboard.chaos.long=true` gives hangs their whole length.
final class Trials {
  private static final Long SEED = Long.getLong("switchboard.seed");
  private static final int RUNS = Integer.getInteger("switchboard.chaos", SEED == null ? 2 : 1);

  /// Whether what hangs does so for as long as in the world outside.
  static final boolean LONG = Boolean.getBoolean("switchboard.chaos.long");

  private Trials() {}

  interface Trial {
    /// Runs it, and returns how long it took from the blow until all was well again.
    Duration run(SplittableRandom random) throws Exception;
  }

  /// Runs a trial as often as wanted, and prints a row of a table.
  ///
  /// @param checked what it has checked, for the table
  /// @param found what it has met with, when all is done
  static void run(String scenario, String checked, Supplier<String> found, Trial trial)
      throws Exception {
    long first = SEED == null ? ThreadLocalRandom.current().nextInt(1_000_000_000) : SEED;
    Duration slowest = Duration.ZERO;
    for (long seed = first; seed < first + RUNS; seed++) {
      Duration took = timed(scenario, seed, trial);
      slowest = took.compareTo(slowest) > 0 ? took : slowest;
    }
    System.out.printf(
        Locale.ROOT,
        "chaos | %s | %d | %d | %s; %s | %d%n",
        scenario,
        first,
        RUNS,
        checked,
        found.get(),
        slowest.toMillis());
  }

  private static Duration timed(String scenario, long seed, Trial trial) throws Exception {
    System.out.println("chaos: " + scenario + ": seed " + seed);
    try {
      return trial.run(new SplittableRandom(seed));
    } catch (AssertionError e) {
      throw new AssertionError(scenario + ", seed " + seed + ": " + e.getMessage(), e);
    }
  }
}
