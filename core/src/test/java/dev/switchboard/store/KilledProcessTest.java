package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ConversationStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
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
    Set<Integer> acknowledged = new TreeSet<>(Set.of(0));
    for (int round = 0; round < ROUNDS; round++) {
      int last = Collections.max(acknowledged);
      acknowledged.addAll(acknowledgedUntil(last + 20 + 7 * round, file));
      try (ConversationStore store = SqliteStore.open(file, "agent")) {
        last = Collections.max(acknowledged);
        assertThat(store.state("c").load().value().turn()).isBetween(last, last + 1);
        // Without the beginning, which nobody has kept.
        assertThat(acknowledged.stream().skip(1))
            .allMatch(number -> store.settledCall("c", "call-" + number) != null);
      }
    }
  }

  /// The numbers that a process acknowledged which was killed once it had come to that one.
  private static List<Integer> acknowledgedUntil(int number, Path file)
      throws IOException, InterruptedException {
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
    List<Integer> numbers = new ArrayList<>();
    try (BufferedReader out = process.inputReader()) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        if (line.matches("[0-9]+")) {
          numbers.add(Integer.parseInt(line));
        }
        if (!numbers.isEmpty() && numbers.getLast() >= number) {
          // Not by the process itself, which would close its output unread.
          process.toHandle().destroyForcibly();
        }
      }
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(numbers).isNotEmpty().last().matches(last -> last >= number);
    return numbers;
  }
}
