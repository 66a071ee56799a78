package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a process said it had kept is there after it was killed in the midst of its work.
class KilledProcessTest {
  private static final int ROUNDS = 5;

  @TempDir private Path folder;

  @Test
  void losesNothingThatWasAcknowledged() throws IOException, InterruptedException {
    Path file = folder.resolve("store.db");
    int before = 0;
    for (int round = 0; round < ROUNDS; round++) {
      int acknowledged = killAfter(before + 20 + 7 * round, file);
      try (SqliteStore store = SqliteStore.open(file, "agent")) {
        assertThat(store.state("c").load().value().turn())
            .isBetween(acknowledged, acknowledged + 1);
        for (int number = before + 1; number <= acknowledged; number++) {
          assertThat(store.settledCall("c", "call-" + number)).as("call " + number).isNotNull();
        }
      }
      before = acknowledged;
    }
  }

  /// The last number that a process acknowledged which was killed once it was there.
  private static int killAfter(int number, Path file) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-Dslf4j.internal.verbosity=ERROR",
                "-cp",
                System.getProperty("java.class.path"),
                KilledWriter.class.getName(),
                file.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    int last = 0;
    try (BufferedReader out = process.inputReader()) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        if (line.matches("[0-9]+")) {
          last = Integer.parseInt(line);
        }
        if (last == number) {
          // Not by the process itself, which would close its output unread.
          process.toHandle().destroyForcibly();
        }
      }
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(last).isGreaterThanOrEqualTo(number);
    return last;
  }
}
